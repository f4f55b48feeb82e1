import { useLocation } from 'preact-iso';
import type { ActionGroupView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { DeliveryView } from '@watchpost/control-plane/capabilities/delivery/reading/delivery-schemas';
import { pageOf } from '../../data/address.js';
import { startOfDay } from '../../data/days.js';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Loaded } from '../../parts/loaded.js';
import { NoMatch } from '../../parts/nothing.js';
import { Pager } from '../../parts/pager.js';
import { DeliveryTable } from './delivery-table.js';
import { DELIVERY_STATES, eventText } from './group-text.js';
import { useChannels } from './use-channels.js';

const PAGE_SIZE = 50;
const FILTERS = ['state', 'channel', 'actionGroupId', 'incidentId', 'monitorId', 'startDate', 'endDate'] as const;

/** All messages that were or will be sent. The address has the filter. */
export function Deliveries({ address }: { address: URLSearchParams }) {
  const { route } = useLocation();
  const channels = useChannels();
  const page = pageOf(address);
  const filter = Object.fromEntries(FILTERS.map((name) => [name, address.get(name) ?? undefined]));
  const groups = useResource<ActionGroupView[]>('/api/v1/action-groups', { pageSize: 200 });
  const read = useResource<DeliveryView[]>('/api/v1/deliveries', {
    ...filter,
    startDate: startOfDay(filter['startDate'] ?? ''),
    endDate: startOfDay(filter['endDate'] ?? '', 1),
    pageSize: PAGE_SIZE,
    page: page === 1 ? undefined : page,
  });
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '');
  const choose = (name: string, value: string) =>
    route(pathTo('/alerts', { tab: 'deliveries', ...filter, [name]: value }));
  const choice = (
    name: (typeof FILTERS)[number],
    label: string,
    all: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <select
      class="input"
      aria-label={label}
      value={filter[name] ?? ''}
      onChange={(event) => choose(name, event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <>
      <div class="alerts-filters">
        {choice(
          'state',
          'State',
          'Every state',
          DELIVERY_STATES.map((state) => [state, eventText(state)]),
        )}
        {choice(
          'channel',
          'Type',
          'Every type',
          channels.list.map(({ type }) => [type, channels.nameOf(type)]),
        )}
        {choice(
          'actionGroupId',
          'Channel',
          'Every channel',
          (groups.data ?? []).map(({ id, name }) => [id, name]),
        )}
        <input
          class="input"
          type="date"
          aria-label="From this day on"
          value={filter['startDate']}
          onChange={(event) => choose('startDate', event.currentTarget.value)}
        />
        <input
          class="input"
          type="date"
          aria-label="Up to this day"
          value={filter['endDate']}
          onChange={(event) => choose('endDate', event.currentTarget.value)}
        />
        {filter['incidentId'] && <Narrowed label="of one incident" onDrop={() => choose('incidentId', '')} />}
        {filter['monitorId'] && <Narrowed label="of one monitor" onDrop={() => choose('monitorId', '')} />}
      </div>
      <Loaded of={read} rows={10}>
        {(rows) =>
          rows.length > 0 ? (
            <>
              <DeliveryTable rows={rows} isStale={read.isPrevious} />
              <Pager page={page} pageSize={PAGE_SIZE} total={read.total ?? rows.length} />
            </>
          ) : isFiltered || page > 1 ? (
            <NoMatch all={pathTo('/alerts', { tab: 'deliveries' })}>No message has all of what you look for.</NoMatch>
          ) : (
            <EmptyState icon="alerts" title="Nothing was sent yet">
              What channels and pages to people on call send is listed here, with the answer to each.
            </EmptyState>
          )
        }
      </Loaded>
    </>
  );
}

function Narrowed({ label, onDrop }: { label: string; onDrop: () => void }) {
  return (
    <button type="button" class="btn" onClick={onDrop}>
      {label} ×
    </button>
  );
}
