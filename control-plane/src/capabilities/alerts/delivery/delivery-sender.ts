import type { Destination } from '../channels/channels.js';
import type { SendOutcome } from '../channels/send-outcome.js';
import type { DeliveryDeps } from './delivery-deps.js';
import { deliveryStore, type DueDelivery } from './delivery-store.js';
import { decideThrottle, THROTTLES } from './decide-throttle.js';
import type { LeasedLane, LaneStep } from './delivery-lane.js';
import { deliveryLaneStore } from './delivery-lane-store.js';
import { resolveDestination } from './open-destination.js';
import { recordOutcome } from './record-outcome.js';
import { type AttemptOutcome, attemptDelivery } from './attempt-delivery.js';

/** Most that one message sums up; what is more goes into the next. */
const MOST_SUMMED_UP = 100;

/** So many are read at once, and used for so long: whoever cancels something later still stops it. */
const READ_AHEAD = { most: 20, ms: 250 };

/** Sends the deliveries of a lane: each call the next one, or those that one message sums up. */
export function deliverySender(deps: DeliveryDeps, lane: LeasedLane): () => Promise<LaneStep> {
  let ahead: DueDelivery[] = [];
  let readAt = 0;
  return async () => {
    const nowMs = deps.clock.now();
    if (ahead.length === 0 || performance.now() - readAt > READ_AHEAD.ms) {
      ahead = await deps.db.read((tx) => deliveryStore.due(lane, tx, READ_AHEAD.most));
      readAt = performance.now();
    }
    const first = ahead.shift();
    if (!first) return 'empty';
    if (await isThrottled(deps, lane, first, nowMs)) return 'released';
    const batch = first.throttled ? await waitingTogether(deps, lane, first) : [first];
    const outcome = await deliverBatch(deps, lane, batch, nowMs);
    // Whatever else came of it may have changed what comes next: the group, for one, or what was summed up.
    if (outcome.kind !== 'sent' || first.throttled) ahead = [];
    return (await recordOutcome(deps, lane, batch, outcome)) ? 'sent' : 'released';
  };
}

async function deliverBatch(
  deps: DeliveryDeps,
  { workspaceId }: LeasedLane,
  batch: readonly DueDelivery[],
  nowMs: number,
): Promise<AttemptOutcome> {
  const first = batch[0]!;
  const destination = tryResolve(deps, first, nowMs);
  if (typeof destination === 'string') return { kind: 'nowhere', statusCode: null, answer: destination };
  if ('kind' in destination) return destination;
  return attemptDelivery(deps, workspaceId, destination, first, batch, nowMs);
}

/** Secrets that cannot be read (their key is not the one that we have) may be readable again later: that is no end. */
function tryResolve(deps: DeliveryDeps, delivery: DueDelivery, nowMs: number): Destination | string | SendOutcome {
  try {
    return resolveDestination(deps.secretBox, delivery, delivery.group, nowMs);
  } catch (error) {
    deps.logger.error({ err: error, groupId: delivery.groupId }, 'the secrets of an action group cannot be read');
    return { kind: 'failed', statusCode: null, answer: 'The secrets of the action group cannot be read.' };
  }
}

/** All that waits in the lane: it goes out as one message, where its destination is the same for all. */
async function waitingTogether(deps: DeliveryDeps, lane: LeasedLane, first: DueDelivery): Promise<DueDelivery[]> {
  const waiting = await deps.db.read((tx) => deliveryStore.due(lane, tx, MOST_SUMMED_UP));
  const together = waiting.filter(({ groupId }) => groupId === first.groupId);
  return together.length === 0 ? [first] : together;
}

/** Gives the lane back until its recipient may be written to again. */
async function isThrottled(deps: DeliveryDeps, lane: LeasedLane, first: DueDelivery, nowMs: number): Promise<boolean> {
  const throttle = THROTTLES[first.channel];
  if (!throttle) return false;
  const since = new Date(nowMs - throttle.windowMs);
  const sent = await deps.db.read((tx) => deliveryStore.sentSince(lane, tx, since));
  const openMs = decideThrottle(sent, nowMs, throttle);
  if (openMs === null) return false;
  deps.metrics.throttled(first.channel);
  await deps.db.transaction(async (tx) => {
    await deliveryStore.throttle(lane, tx, new Date(openMs));
    await deliveryLaneStore.release(lane, tx, new Date(openMs));
  });
  return true;
}
