import type { DeliveryView } from '@watchpost/control-plane/capabilities/delivery/reading/delivery-schemas';
import type { Incident } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import type { IncidentNotifications } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { pathTo } from '../../data/session.js';
import { useChannels, type Channels } from '../alerts/use-channels.js';
import { useResource } from '../../data/resources.js';
import { countText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { StateMark, Time } from '../../parts/marks.js';
import { type Columns, Table } from '../../parts/table.js';
import { deliveryWords } from './delivery-words.js';

const MOST = 50;
const STATES = {
  delivered: ['available', 'Delivered'],
  waiting: ['unknown', 'Waiting'],
  failed: ['unavailable', 'Not delivered'],
  cancelled: ['paused', 'Not needed'],
} as const;

export function Notified({ incident }: { incident: Incident }) {
  const channels = useChannels();
  const read = useResource<IncidentNotifications>(`/api/v1/incident/${incident.id}/notifications`);
  const deliveries = useResource<DeliveryView[]>('/api/v1/deliveries', { incidentId: incident.id, pageSize: MOST });
  const rows = deliveries.data ?? [];
  const total = deliveries.total ?? rows.length;
  return (
    <Section title="Who was notified">
      <Loaded of={read} rows={1}>
        {(data) => <Knowledge notifications={data} incident={incident} />}
      </Loaded>
      {rows.length > 0 && (
        <details class="incident-more">
          <summary>
            {countText(total, 'message')} about it{total > MOST ? `, the newest ${MOST}` : ''}
          </summary>
          <Table label="Messages about the incident" rows={rows} columns={columnsOf(read.data, channels)} />
        </details>
      )}
    </Section>
  );
}

function Knowledge({ notifications, incident }: { notifications: IncidentNotifications; incident: Incident }) {
  const channels = useChannels();
  const { notified, groupsNotified, failedDeliveries } = notifications;
  const isNobody = notified.length === 0 && groupsNotified.length === 0;
  return (
    <div class="lines one-column gap-2">
      {isNobody && (
        <p>
          <strong class="state-unavailable">Nobody has been notified.</strong>{' '}
          <a href={pathTo(`/monitors/${incident.monitorId}`)}>See who hears of this monitor</a>
        </p>
      )}
      <ul class="list lines one-column gap-2">
        {notified.map(({ userId, name, at }) => (
          <li key={userId}>
            <strong>{name ?? 'Somebody without a name'}</strong> was paged <Time at={at} />
          </li>
        ))}
        {groupsNotified.map(({ actionGroupId, name, channel, at }) => (
          <li key={`${actionGroupId} ${channel}`}>
            <strong>{name}</strong> got a message by {channels.of(channel)?.title ?? channel} <Time at={at} />
          </li>
        ))}
      </ul>
      {failedDeliveries > 0 && (
        <p class="state-unavailable">
          {countText(failedDeliveries, 'message')} could not be delivered; see below for the reason.
        </p>
      )}
    </div>
  );
}

function columnsOf(notifications: IncidentNotifications | undefined, channels: Channels): Columns<DeliveryView> {
  const nameOf = (userId: string | null) => notifications?.notified.find((each) => each.userId === userId)?.name;
  return {
    To: ({ actionGroupName, userId, destination }) => (
      <>
        {actionGroupName ?? nameOf(userId) ?? 'A person on call'} <span class="soft small">{destination}</span>
      </>
    ),
    About: ({ eventType, purpose }) => deliveryWords(eventType, purpose),
    By: { width: 'narrow', cell: ({ channel }) => channels.of(channel)?.title ?? channel },
    State: { width: 'narrow', cell: ({ state }) => <StateMark state={STATES[state][0]} word={STATES[state][1]} /> },
    Answer: {
      isPlain: true,
      cell: ({ answer, attempts }) => (
        <span class="small">
          {answer} {attempts > 1 && <span class="soft">{countText(attempts, 'attempt')}</span>}
        </span>
      ),
    },
    When: { isNumber: true, cell: ({ lastAttempt, created }) => <Time at={lastAttempt ?? created} /> },
  };
}
