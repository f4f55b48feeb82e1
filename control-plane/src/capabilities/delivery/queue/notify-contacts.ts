import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import type { OwnChannel } from '../../workspaces/index.js';
import type { AlertEvent, MessageExtra } from '../../channels/index.js';
import { alertEventStore } from './alert-event-store.js';
import { addDeliveries } from './add-deliveries.js';
import { deliveryStore } from './delivery-store.js';
import type { RefusedDelivery } from './note-refused.js';

/** A person to notify, beside the groups of a monitor. */
export interface Contact {
  channel: OwnChannel;
  /** An email address, a number in E.164, or what is shown of a contact method. */
  address: string;
  /** The id of the contact method, where the address is one; else the address by default. */
  key?: string | undefined;
  extra: MessageExtra;
}

/** An event and who is notified of it, beside the groups of its monitor. */
export interface Notice {
  event: AlertEvent;
  contacts: readonly Contact[];
  /** Such as `page` or `page:2`, by which `cancelDeliveries` finds the messages. */
  purpose: string;
}

/**
 * Queues notifications to contacts in the caller's transaction; the groups of the monitors are not notified. Order,
 * retries and limits are those of groups. One call takes all notices, so that the lanes are locked in one order.
 * @param onRefused is called with messages that fail because too many wait for their destination
 */
export async function notifyContacts(
  deps: { clock: Clock },
  tx: Tx,
  notices: readonly Notice[],
  onRefused?: (refused: readonly RefusedDelivery[]) => Promise<void>,
): Promise<void> {
  const events = notices
    .filter(({ contacts }) => contacts.length > 0)
    .map(({ event, ...notice }) => ({ event: { ...event, id: newId(deps.clock.now()) }, ...notice }));
  if (events.length === 0) return;
  await alertEventStore.insert(
    tx,
    events.map(({ event }) => event),
    true,
  );
  await addDeliveries(
    deps,
    tx,
    events.flatMap(({ event: { workspaceId, id: eventId, incidentId, type: eventType }, contacts, purpose }) =>
      contacts.map(({ channel, address, key, extra }) => ({
        workspaceId,
        eventId,
        incidentId,
        eventType,
        groupId: null,
        channel,
        address,
        key,
        purpose,
        extra,
      })),
    ),
    onRefused,
  );
}

/** An incident whose messages are not wanted any more. */
export interface CancelledIncident {
  workspaceId: string;
  incidentId: string;
  /** One sentence, shown with the delivery. */
  why: string;
}

/**
 * Cancels the waiting deliveries of incidents for a purpose; `page` includes `page:2`. An attempt in progress may still
 * arrive.
 * @returns how many were cancelled
 */
export async function cancelDeliveries(
  deps: { clock: Clock },
  tx: Tx,
  incidents: readonly CancelledIncident[],
  purpose: string,
): Promise<number> {
  return deliveryStore.cancelOfIncidents(tx, incidents, purpose, new Date(deps.clock.now()));
}
