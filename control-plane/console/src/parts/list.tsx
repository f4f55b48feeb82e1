import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { pageOf, paramsOf } from '../data/address.js';
import type { Query } from '../data/query-text.js';
import { useResource, type ResourceView } from '../data/use-resource.js';
import { Loaded } from './loaded.js';
import { Pager } from './pager.js';
import { Table, type TableProps } from './table.js';

export interface PageView<T> extends ResourceView<T[]> {
  page: number;
  pageSize: number;
}

/** The page of a list of the API that the address names (`?page=2`). */
export function usePage<T>(path: string | null, query: Query = {}, pageSize = 50): PageView<T> {
  const page = pageOf(paramsOf(useLocation().url));
  const read = useResource<T[]>(path, { ...query, page: page === 1 ? undefined : page, pageSize });
  return { ...read, page, pageSize };
}

interface PagedProps<T> {
  of: PageView<T>;
  /** It takes the room of so many rows until it is read. */
  room?: number;
  /** In place of no rows: why there are none, and the next step. */
  none: ComponentChildren;
  children: (rows: readonly T[]) => ComponentChildren;
}

/** The rows of a page, and the way to the other pages. */
export function Paged<T>({ of, room = 4, none, children }: PagedProps<T>) {
  return (
    <Loaded of={of} rows={room}>
      {(rows) =>
        rows.length === 0 ? (
          none
        ) : (
          <>
            {children(rows)}
            <Pager page={of.page} pageSize={of.pageSize} total={of.total ?? rows.length} />
          </>
        )
      }
    </Loaded>
  );
}

type ListProps<T> = Omit<PagedProps<T>, 'children'> & Omit<TableProps<T>, 'rows' | 'isStale'>;

/** The rows of a page as a table. */
export function List<T>({ of, room, none, ...table }: ListProps<T>) {
  return (
    <Paged of={of} none={none} {...(room !== undefined && { room })}>
      {(rows) => <Table<T> {...(table as unknown as TableProps<T>)} rows={rows} isStale={of.isPrevious} />}
    </Paged>
  );
}
