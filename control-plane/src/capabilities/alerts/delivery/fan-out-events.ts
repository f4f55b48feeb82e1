import { randomUUID } from 'node:crypto';
import { ACTION_GROUP_TYPES, type ActionGroupType } from '../action-group.js';
import { ALERT_EVENT_TYPES, type AlertEventType } from '../alert-event.js';
import type { Outlet } from '../channels/channel.js';
import { channelOf } from '../channels/registry.js';
import { addDeliveries } from './add-deliveries.js';
import type { DeliveryDeps } from './delivery-deps.js';
import { fanOutStore } from './fan-out-store.js';
import { noteRefused } from './note-refused.js';

const BATCH = 100;
const EVENT_CHANNELS = eventChannelPairs(ACTION_GROUP_TYPES);

/**
 * Adds the deliveries of pending events, in the order of the events.
 * @returns the outlets that have something to send; undefined where there were no events: otherwise there may be more
 */
export async function fanOutEvents(
  deps: Pick<DeliveryDeps, 'db' | 'clock' | 'metrics' | 'addTimelineEntries'>,
): Promise<ReadonlySet<Outlet> | undefined> {
  // Usually nothing is pending; the check without the lock costs less.
  if (!(await deps.db.read((tx) => fanOutStore.hasPending(tx)))) return undefined;
  let refused = 0;
  const outlets = await deps.db.transaction(async (tx) => {
    refused = 0;
    await fanOutStore.lock(tx);
    const events = await fanOutStore.pending(tx, BATCH, randomUUID());
    if (events.length === 0) return undefined;
    const destinations = await fanOutStore.destinations(tx, events, EVENT_CHANNELS);
    const added = await addDeliveries(
      deps,
      tx,
      destinations.map((destination) => ({ ...destination, extra: {} })),
      async (failed) => {
        refused = failed.length;
        await noteRefused(deps, tx, failed);
      },
    );
    await fanOutStore.markFannedOut(tx, events);
    return added;
  });
  deps.metrics.refused(refused);
  return outlets;
}

/** Reports whether groups of a channel send messages about events of a type. Minor events go to webhooks only. */
export function isSentBy(channel: ActionGroupType, type: AlertEventType): boolean {
  return channelOf(channel).skips?.includes(type) !== true;
}

/** Returns the pairs of event type and channel that are sent, such as `incident.opened/email`, for the database. */
export function eventChannelPairs(channels: readonly ActionGroupType[]): string[] {
  return ALERT_EVENT_TYPES.flatMap((type) =>
    channels.filter((channel) => isSentBy(channel, type)).map((channel) => `${type}/${channel}`),
  );
}
