import type { ComponentChildren } from 'preact';
import type { Signal } from '@preact/signals';
import { Icon } from './button.js';
import { useLocation } from 'preact-iso';
import { pageOf, paramsOf, type Query, addressWith } from '../data/address.js';
import { useResource, type ResourceView } from '../data/resources.js';
import { Loaded } from './loaded.js';
import { numberText } from './format.js';

type Cell<T> = (row: T) => ComponentChildren;

interface Column<T> {
  cell: Cell<T>;
  /** The value of `sort` in the address that sorts by this column. */
  sort?: string;
  /** It takes as little width as it can, and is aligned to the right, in digits of equal width. */
  isNumber?: boolean;
  /** `wide` takes the room that is left; `narrow` as little as it can; `chart` has the width of a bar. */
  width?: 'wide' | 'narrow' | 'chart';
  /** On phones it has no label and a line of its own, as what explains itself. */
  isPlain?: boolean;
  /** The column is left out while every row has nothing in it. */
  isEmpty?: (row: T) => boolean;
  /** From which width of the screen it is shown, in px. On phones all but these are parts of a card. */
  from?: 768 | 1024 | 1280;
}

/** The columns of a table by their labels; a cell alone is a column without options. */
export type Columns<T> = Readonly<Record<string, Column<T> | Cell<T>>>;

interface TableProps<T> {
  /** What the table lists, for screen readers. */
  label: string;
  rows: readonly T[];
  columns: Columns<T>;
  /** Its id, unless it has none. */
  rowKey?: (row: T) => string;
  /** Where Enter on a row leads. The first column is the link. */
  rowHref?: (row: T) => string;
  /** The keys of the selected rows; with it, each row has a checkbox. */
  selected?: Signal<ReadonlySet<string>>;
  rowName?: (row: T) => string;
  sort?: { current: string; hrefOf: (sort: string) => string };
  /** What is shown is about to be replaced. */
  isStale?: boolean;
}

/**
 * Rows with columns; cards on phones. `j` and `k` move over rows, Enter opens, `x` selects. The address has
 * the order, so that a table that is sorted can be sent to somebody.
 */
export function Table<T>(props: TableProps<T>) {
  const { label, rows, columns, rowKey = idOf, rowHref, selected, rowName, sort, isStale = false } = props;
  const chosen = selected?.value;
  const shown = Object.entries(columns)
    .map(([head, column]) => ({ head, ...(typeof column === 'function' ? { cell: column } : column) }))
    .filter(({ isEmpty }) => isEmpty === undefined || !rows.every(isEmpty));
  const keys = rows.map(rowKey);
  const isAll = keys.length > 0 && keys.every((key) => chosen?.has(key));
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    selected!.value = next;
  };
  return (
    <div class={isStale ? 'table-frame is-stale' : 'table-frame'}>
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {selected && (
              <th class="cell-select" scope="col">
                <input
                  type="checkbox"
                  aria-label="Select all of this page"
                  checked={isAll}
                  indeterminate={!isAll && keys.some((key) => chosen?.has(key))}
                  onChange={() => (selected.value = isAll ? new Set() : new Set(keys))}
                />
              </th>
            )}
            {shown.map(({ head, ...column }) => (
              <Head key={head} head={head} column={column} {...(sort && { sort })} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = rowKey(row);
            return (
              <tr key={key} data-row={key} class={chosen?.has(key) ? 'is-selected' : undefined}>
                {selected && (
                  <td class="cell-select">
                    <input
                      type="checkbox"
                      data-select
                      aria-label={`Select ${rowName?.(row) ?? key}`}
                      checked={chosen?.has(key) ?? false}
                      onChange={() => toggle(key)}
                    />
                  </td>
                )}
                {shown.map(({ head, ...column }, index) => (
                  <td key={head} class={classOf(column, index)} data-label={head}>
                    {index === 0 && rowHref ? (
                      <a
                        class="row-link"
                        data-row-link
                        href={rowHref(row)}
                        onClick={() => history.replaceState(key, '')}
                      >
                        {column.cell(row)}
                      </a>
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Head<T>({ head, column, sort }: { head: string; column: Column<T> } & Pick<TableProps<T>, 'sort'>) {
  const isSorted = column.sort !== undefined && sort?.current === column.sort;
  return (
    <th
      scope="col"
      class={classOf(column, 1)}
      aria-sort={isSorted ? (column.sort!.startsWith('-') ? 'descending' : 'ascending') : undefined}
    >
      {column.sort !== undefined && sort ? (
        <a class="sort" href={sort.hrefOf(column.sort)}>
          {head}
          {isSorted && <Icon name={column.sort.startsWith('-') ? 'down' : 'up'} />}
        </a>
      ) : (
        head
      )}
    </th>
  );
}

function classOf<T>({ isNumber, width, from, isPlain }: Column<T>, index: number): string | undefined {
  const names = [
    index === 0 && 'cell-main',
    isNumber && 'num',
    (width || isNumber) && `cell-${width ?? 'narrow'}`,
    isPlain && 'cell-plain',
    from && `from-${from}`,
  ];
  return names.filter(Boolean).join(' ') || undefined;
}

function idOf(row: unknown): string {
  return (row as { id: string }).id;
}

/** The column of what can be done with a row. */
export function actions<T>(cell: Cell<T>): Columns<T> {
  const drawn: Cell<T> = (row) => <span class="cell-actions flex gap-2">{cell(row)}</span>;
  return { Actions: { isNumber: true, isPlain: true, cell: drawn } };
}

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

export function List<T>({ of, room, none, ...table }: ListProps<T>) {
  return (
    <Paged of={of} none={none} {...(room !== undefined && { room })}>
      {(rows) => <Table<T> {...(table as unknown as TableProps<T>)} rows={rows} isStale={of.isPrevious} />}
    </Paged>
  );
}

/** Leads to the other pages of a list, which are in the address (`?page=2`). Shows nothing where there is one page. */
function Pager({ page, pageSize, total }: { page: number; pageSize: number; total: number }) {
  const { url } = useLocation();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  const hrefOf = (to: number) => addressWith(url, { page: to === 1 ? undefined : String(to) });
  const from = (page - 1) * pageSize + 1;
  return (
    <nav class="wrap center between gap-2-4 above-3" aria-label="Pages">
      <span class="soft num">
        {numberText(from)}–{numberText(Math.min(total, page * pageSize))} of {numberText(total)}
      </span>
      <span class="flex gap-2">
        <Turn rel="prev" href={page > 1 && hrefOf(page - 1)} />
        <Turn rel="next" href={page < pages && hrefOf(page + 1)} />
      </span>
    </nav>
  );
}

function Turn({ rel, href }: { rel: 'prev' | 'next'; href: string | false }) {
  const words =
    rel === 'prev' ? [<Icon key="icon" name="left" />, 'Previous'] : ['Next', <Icon key="icon" name="right" />];
  return href === false ? (
    <span class="btn" aria-disabled="true">
      {words}
    </span>
  ) : (
    <a class="btn" href={href} rel={rel}>
      {words}
    </a>
  );
}
