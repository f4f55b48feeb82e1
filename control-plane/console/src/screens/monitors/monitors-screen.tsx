import { Paged, usePage } from '../../parts/table.js';
import { useSignal } from '@preact/signals';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../../data/address.js';
import { hasRole } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Screen } from '../../frame/screen.js';
import { EmptyState, newMonitorLink, NoMatch } from '../../parts/loaded.js';
import { FilterBox } from '../../parts/filter-box.js';
import { countText } from '../../parts/format.js';
import { BulkBar } from './bulk-bar.js';
import { FILTER_NAMES, type Group, readListQuery, STATUS_WORDS, TYPE_WORDS } from './list-query.js';
import { MonitorTable } from './monitor-table.js';

/** All monitors, a page at a time: the server filters and sorts. */
export function MonitorsScreen() {
  const { url, path } = useLocation();
  const groups = useResource<Group[]>('/api/v1/service-group', { pageSize: 200 });
  const { query, conditions, filter, sort, fault, isWaiting } = readListQuery(paramsOf(url), groups.data);
  const monitors = usePage<MonitorView>(fault === undefined && !isWaiting ? '/api/v1/monitor' : null, query);
  const tags = useResource<{ tag: string; monitorCount: number }[]>('/api/v1/tags');
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const rows = fault === undefined ? monitors.data : [];
  const total = monitors.total ?? rows?.length ?? 0;
  const isFiltered = filter.search !== '' || Object.keys(filter.terms).length > 0;

  // A selection that is out of view would be changed unseen.
  useEffect(() => {
    selected.value = new Set();
  }, [url]);

  const hrefOfSort = (next: string) =>
    addressWith(url, { page: undefined, sort: next === 'health' ? undefined : next });

  return (
    <Screen title="Monitors" receivedMs={monitors.receivedMs} actions={newMonitorLink('primary')}>
      <div class="list-tools wrap center gap-2-4 below-3">
        <FilterBox
          names={FILTER_NAMES}
          label="Filter monitors"
          placeholder="Name or URL, tag:team:web, group:Checkout, status:unavailable"
          values={{
            tag: tags.data?.map(({ tag }) => tag) ?? [],
            group: groups.data?.map(({ name }) => name) ?? [],
            status: STATUS_WORDS,
            type: TYPE_WORDS,
          }}
        />
        <span class="soft num" role="status">
          {rows === undefined ? '' : countText(total, 'monitor')}
        </span>
      </div>
      {selected.value.size > 0 && hasRole('Editor') && (
        <BulkBar
          selected={selected}
          pageIds={rows?.map(({ id }) => id) ?? []}
          total={total}
          filter={isFiltered ? { tags: filter.terms['tag'], ...conditions } : undefined}
          names={new Map(rows?.map(({ id, name }) => [id, name]))}
        />
      )}
      {fault !== undefined ? (
        <NoMatch all={path}>{fault}</NoMatch>
      ) : (
        <Paged
          of={isWaiting && groups.fault ? { ...monitors, fault: groups.fault, reload: groups.reload } : monitors}
          room={12}
          none={isFiltered || monitors.page > 1 ? <NoMatch all={path}>No monitors match.</NoMatch> : <None />}
        >
          {(shown) => (
            <MonitorTable
              label="Monitors"
              monitors={shown}
              sort={{ current: sort, hrefOf: hrefOfSort }}
              isStale={monitors.isPrevious}
              {...(hasRole('Editor') && { selected })}
            />
          )}
        </Paged>
      )}
    </Screen>
  );
}

function None() {
  return (
    <EmptyState icon="monitors" title="Nothing is monitored yet" action={newMonitorLink('primary')}>
      Paste a URL, and it is tested at once.
    </EmptyState>
  );
}
