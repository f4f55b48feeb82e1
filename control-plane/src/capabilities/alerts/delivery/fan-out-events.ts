import { randomUUID } from 'node:crypto';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../../platform/db/database.js';
import { ACTION_GROUP_TYPES, type ActionGroupType } from '../action-group.js';
import { ALERT_EVENT_TYPES, type AlertEventType } from '../alert-event.js';
import { addDeliveries } from './add-deliveries.js';
import { fanOutStore } from './fan-out-store.js';

const BATCH = 100;
/** Events that send no SMS. */
const NOT_BY_SMS: ReadonlySet<AlertEventType> = new Set([
  'incident.acknowledged',
  'incident.note_added',
  'monitor.dns_changed',
]);
const AUDIENCE = audience(ACTION_GROUP_TYPES);

/**
 * Makes a delivery for everybody who is to hear of what happened, in the order in which it did.
 * @returns whether there was something, so that there may be more
 */
export async function fanOutEvents(deps: { db: Database; clock: Clock }): Promise<boolean> {
  // Mostly there is nothing, and nobody need wait for a lock to learn that.
  if (!(await deps.db.read((tx) => fanOutStore.hasPending(tx)))) return false;
  return deps.db.transaction(async (tx) => {
    await fanOutStore.lock(tx);
    const events = await fanOutStore.pending(tx, BATCH, randomUUID());
    if (events.length === 0) return false;
    const destinations = await fanOutStore.destinations(tx, events, AUDIENCE);
    await addDeliveries(
      deps,
      tx,
      destinations.map((destination) => ({ ...destination, extra: {} })),
    );
    await fanOutStore.markFannedOut(tx, events);
    return true;
  });
}

/** Which groups of a monitor hear of an event, by their channel; of what is minor, webhooks alone. */
export function hears(channel: ActionGroupType, type: AlertEventType): boolean {
  return channel !== 'sms' || !NOT_BY_SMS.has(type);
}

/** `incident.opened/email` and so on, for the database. */
export function audience(channels: readonly ActionGroupType[]): string[] {
  return ALERT_EVENT_TYPES.flatMap((type) =>
    channels.filter((channel) => hears(channel, type)).map((channel) => `${type}/${channel}`),
  );
}
