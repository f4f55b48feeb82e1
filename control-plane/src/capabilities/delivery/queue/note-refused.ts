import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { addTimelineEntries, type TimelineEntry } from '../../timeline/index.js';
import { type FannedOutDelivery, type FannedOutEvent, LANE_FULL } from './fan-out-store.js';
import { channelOf } from '../../channels/index.js';

export type RefusedDelivery = Omit<FannedOutDelivery, 'eventId'>;

/** Adds to the timelines of incidents that deliveries failed because too many wait for their destination. */
export async function noteRefused(deps: { clock: Clock }, tx: Tx, refused: readonly RefusedDelivery[]): Promise<void> {
  const atMs = deps.clock.now();
  await addTimelineEntries(
    tx,
    refused.flatMap((delivery) => noteOf(delivery, atMs)),
  );
}

const GIVEN_UP =
  'The channels of the monitor were not notified, because their messages could not be stored. The log of the control plane has the reason.';

/** Adds to the timelines of incidents that events have no deliveries, because these cannot be stored. */
export async function noteGivenUp(deps: { clock: Clock }, tx: Tx, events: readonly FannedOutEvent[]): Promise<void> {
  const atMs = deps.clock.now();
  const entries = events.flatMap(({ workspaceId, incidentId, type }): TimelineEntry[] => {
    if (incidentId === null) return [];
    const detail = { event: type, reason: GIVEN_UP };
    return [{ workspaceId, incidentId, event: { type: 'notification_failed', atMs, detail } }];
  });
  await addTimelineEntries(tx, entries);
}

function noteOf(
  { workspaceId, incidentId, eventType, channel, address, groupId, purpose }: RefusedDelivery,
  atMs: number,
): TimelineEntry[] {
  if (incidentId === null) return [];
  const destination = channelOf(channel).mask(address);
  const detail = { channel, destination, groupId, event: eventType, purpose, answer: LANE_FULL };
  return [{ workspaceId, incidentId, event: { type: 'notification_failed', atMs, detail } }];
}
