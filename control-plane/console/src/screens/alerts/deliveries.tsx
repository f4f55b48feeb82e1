import { useLocation } from 'preact-iso';
import type { ActionGroupView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { DeliveryView } from '@watchpost/control-plane/capabilities/delivery/reading/delivery-schemas';
import { WHOLE } from '../../data/address.js';
import { startOfDay } from '../../data/days.js';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { DateRange } from '../../parts/date-input.js';
import { Choice, named, type Option } from '../../parts/inputs.js';
import { EmptyState, NoMatch } from '../../parts/loaded.js';
import { Paged, usePage } from '../../parts/table.js';
import { DeliveryTable } from './delivery-table.js';
import { DELIVERY_STATES, eventText } from './group-text.js';
import { useChannels } from './use-channels.js';

const FILTERS = ['state', 'channel', 'actionGroupId', 'incidentId', 'monitorId', 'startDate', 'endDate'] as const;
type Name = (typeof FILTERS)[number];

/** All messages that were or will be sent. The address has the filter. */
export function Deliveries({ address }: { address: URLSearchParams }) {
  const { route } = useLocation();
  const channels = useChannels();
  const filter = Object.fromEntries(FILTERS.map((name) => [name, address.get(name) ?? undefined]));
  const groups = useResource<ActionGroupView[]>('/api/v1/action-groups', WHOLE);
  const deliveries = usePage<DeliveryView>('/api/v1/deliveries', {
    ...filter,
    startDate: startOfDay(filter['startDate'] ?? ''),
    endDate: startOfDay(filter['endDate'] ?? '', 1),
  });
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '');
  const put = (changes: Partial<Record<Name, string>>) =>
    route(pathTo('/alerts', { tab: 'deliveries', ...filter, ...changes }));
  const choices: [name: Name, label: string, options: readonly Option[]][] = [
    ['state', 'State', DELIVERY_STATES.map((value) => ({ value, label: eventText(value) }))],
    ['channel', 'Type', channels.all.map(({ type }) => ({ value: type, label: channels.nameOf(type) }))],
    ['actionGroupId', 'Channel', named(groups.data)],
  ];
  return (
    <>
      <div class="columns-10 lines gap-2 below-4">
        {choices.map(([name, label, options]) => (
          <Choice
            key={name}
            label={label}
            options={[{ value: '', label: `Every ${label.toLowerCase()}` }, ...options]}
            value={filter[name] ?? ''}
            onChange={(value) => put({ [name]: value })}
          />
        ))}
        <span class="across">
          <DateRange
            label="When"
            names={['From', 'To']}
            values={[filter['startDate'] ?? '', filter['endDate'] ?? '']}
            onChange={(startDate, endDate) => put({ startDate, endDate })}
          />
        </span>
        {filter['incidentId'] && <Narrowed label="of one incident" onDrop={() => put({ incidentId: '' })} />}
        {filter['monitorId'] && <Narrowed label="of one monitor" onDrop={() => put({ monitorId: '' })} />}
      </div>
      <Paged
        of={deliveries}
        room={10}
        none={
          isFiltered || deliveries.page > 1 ? (
            <NoMatch all={pathTo('/alerts', { tab: 'deliveries' })}>No messages match.</NoMatch>
          ) : (
            <EmptyState icon="alerts" title="Nothing was sent yet">
              What channels and pages to people on call send is listed here, with the answer to each.
            </EmptyState>
          )
        }
      >
        {(rows) => <DeliveryTable rows={rows} isStale={deliveries.isPrevious} />}
      </Paged>
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
