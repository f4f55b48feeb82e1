import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import type { AlertEvent } from '../alert-event.js';
import type { MessageExtra } from '../channels/alert-message.js';
import { alertEventStore } from './alert-event-store.js';
import { addDeliveries } from './add-deliveries.js';
import { deliveryStore } from './delivery-store.js';

/** A person to be told, beside the groups of a monitor. */
export interface Contact {
  channel: 'email' | 'sms';
  /** An email address, or a number in E.164. */
  address: string;
  /** What this person's message says beyond the event. */
  extra: MessageExtra;
}

/**
 * Notifies contacts of events, in the caller's transaction; this does not notify the groups of the monitors.
 * Order, retries and limits are as for groups: what waits for a mailbox or a number waits for its turn.
 * All of them at once: the lanes of all contacts are locked in one order.
 * @param purpose what for, such as `page` or `page:2`: what `cancelDeliveries` finds it by
 */
export async function notifyContacts(
  deps: { clock: Clock },
  tx: Tx,
  notices: readonly { event: AlertEvent; contacts: readonly Contact[] }[],
  purpose: string,
): Promise<void> {
  const events = notices
    .filter(({ contacts }) => contacts.length > 0)
    .map(({ event, contacts }) => ({ event: { ...event, id: newId(deps.clock.now()) }, contacts }));
  if (events.length === 0) return;
  await alertEventStore.insert(
    tx,
    events.map(({ event }) => event),
    true,
  );
  await addDeliveries(
    deps,
    tx,
    events.flatMap(({ event: { workspaceId, id: eventId }, contacts }) =>
      contacts.map(({ channel, address, extra }) => ({
        workspaceId,
        eventId,
        groupId: null,
        channel,
        address,
        purpose,
        extra,
      })),
    ),
  );
}

/**
 * What still waits of an incident's deliveries for a purpose (`page` stands for `page:2` too) is not sent any more:
 * it was acknowledged, or is over. What is on its way already may still arrive.
 * @param why one sentence, as deliveries show it
 * @returns how many there were
 */
export async function cancelDeliveries(
  deps: { clock: Clock },
  tx: Tx,
  { workspaceId, incidentId, purpose, why }: { workspaceId: string; incidentId: string; purpose: string; why: string },
): Promise<number> {
  const at = new Date(deps.clock.now());
  return deliveryStore.cancelOfIncident(workspaceId, tx, { incidentId, purpose, answer: why, at });
}
