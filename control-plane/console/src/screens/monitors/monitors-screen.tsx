import { Paged, usePage } from '../../parts/table.js';
import { signal, useSignal } from '@preact/signals';
import type { MonitorView, TagCount } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useMemo, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf, TAGS_ADDRESS, WHOLE } from '../../data/address.js';
import { hasRole } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Screen } from '../../frame/screen.js';
import { EmptyState, newMonitorLink, NoMatch } from '../../parts/loaded.js';
import { Facets } from '../../parts/facets.js';
import { FilterBox } from '../../parts/filter-box.js';
import { filterText } from '../../parts/filter-text.js';
import { countText } from '../../parts/format.js';
import { tagKeys } from '../../parts/tag-keys.js';
import { BulkBar } from './bulk-bar.js';
import {
  FILTER_NAMES,
  type Group,
  matches,
  readListQuery,
  SERVICE_GROUP,
  STATE_WORDS,
  STATUS_WORDS,
  TYPE_WORDS,
} from './list-query.js';
import { MonitorTable } from './monitor-table.js';

const GROUPS = '/api/v1/service-group';

/** All monitors, a page at a time: the server filters and sorts. */
export function MonitorsScreen() {
  const { url, path } = useLocation();
  const some = useResource<Group[]>(GROUPS, { pageSize: 200 });
  // All of them only where one is named: they are read again with each change of a monitor.
  const isMore = paramsOf(url).has('group') && (some.total ?? 0) > (some.data?.length ?? 0);
  const all = useResource<Group[]>(isMore ? GROUPS : null, WHOLE);
  const groups = isMore ? all : some;
  const asked = readListQuery(paramsOf(url), groups.data);
  const { query, conditions, filter, sort, fault, isWaiting } = asked;
  const monitors = usePage<MonitorView>(fault === undefined && !isWaiting ? '/api/v1/monitor' : null, query);
  const tags = useResource<TagCount[]>(TAGS_ADDRESS);
  // A selection that is out of view would be changed unseen.
  const selected = useMemo(() => signal<ReadonlySet<string>>(new Set()), [url]);
  const typed = useSignal<URLSearchParams | undefined>(undefined);
  const text = filterText(filter);
  const answered = useRef(text);
  if (!monitors.isPrevious) answered.current = text;
  const pending = text === answered.current ? undefined : asked;
  const wanted = typed.value ? readListQuery(typed.value, groups.data) : pending;
  // The rows that are there answer at once, until the server does.
  const here = wanted && monitors.data?.filter((monitor) => matches(monitor, wanted));
  const rows = fault === undefined ? monitors.data : [];
  const total = monitors.total ?? rows?.length ?? 0;
  const isFiltered = filter.search !== '' || Object.keys(filter.terms).length > 0;

  const hrefOfSort = (next: string) =>
    addressWith(url, { page: undefined, sort: next === 'health' ? undefined : next });

  return (
    <Screen title="Monitors" receivedMs={monitors.receivedMs} actions={newMonitorLink('primary')}>
      <div class="list-tools wrap center gap-2-4 below-3">
        <FilterBox
          names={FILTER_NAMES}
          label="Filter monitors"
          placeholder="Name or URL, tag:team:web, group:Checkout, state:down"
          values={{
            tag: tags.data?.map(({ tag }) => tag) ?? [],
            group: groups.data?.map(({ name }) => name) ?? [],
            state: STATE_WORDS,
            status: STATUS_WORDS,
            type: TYPE_WORDS,
            without: [SERVICE_GROUP, ...tagKeys(tags.data ?? [])],
          }}
          onTyped={(query) => (typed.value = query)}
        />
        <Facets
          names={FILTER_NAMES}
          facets={[
            { name: 'state', label: 'State', values: STATE_WORDS.map((value) => ({ value })) },
            { name: 'type', label: 'Type', values: TYPE_WORDS.map((value) => ({ value })) },
            { name: 'group', label: 'Group', values: groups.data?.map(({ name }) => ({ value: name })) },
            {
              name: 'tag',
              label: 'Tag',
              isMulti: true,
              values: tags.data?.map(({ tag, monitorCount }) => ({ value: tag, count: monitorCount })),
            },
          ]}
        />
        <span class="soft num" role="status">
          {here ? `${here.length} so far` : rows === undefined ? '\u00a0' : countText(total, 'monitor')}
        </span>
      </div>
      {selected.value.size > 0 && hasRole('Editor') && (
        <BulkBar
          selected={selected}
          pageIds={rows?.map(({ id }) => id) ?? []}
          total={total}
          // While another filter is on its way, `total` is not how many match it.
          filter={
            isFiltered && wanted === undefined && !monitors.isPrevious
              ? { tags: filter.terms['tag'], ...conditions }
              : undefined
          }
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
              monitors={here && here.length > 0 ? here : shown}
              page={shown}
              sort={{ current: sort, hrefOf: hrefOfSort }}
              isStale={here !== undefined || monitors.isPrevious}
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
