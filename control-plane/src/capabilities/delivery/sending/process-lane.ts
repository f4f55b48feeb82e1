import type { LaneDeps } from './joined-delivery.js';
import { decideJoint, MOST_JOINED } from './decide-joint.js';
import { deliverBatch, deliverySender, releaseIfThrottled } from './delivery-sender.js';
import { mailSender } from './mail-sender.js';
import { isPageLane, type LaneStep, type LeasedLane } from '../queue/delivery-lane.js';
import { deliveryLaneStore } from '../queue/delivery-lane-store.js';
import { recordOutcome } from './record-outcome.js';

/**
 * How long a lane keeps its slot while others may wait for it, ms. An attempt in progress is completed, so a lane uses
 * its slot for at most a slice and one attempt.
 */
const SLICE_MS = 1_000;

/**
 * Sends the waiting messages of a lane one after the other, until none is left, one has to wait, or the slice ends.
 * Messages of a lane are never reordered.
 */
export async function processLane(deps: LaneDeps, lane: LeasedLane): Promise<void> {
  const sliceEnd = performance.now() + SLICE_MS;
  const next = senderOf(lane)(deps, lane);
  do {
    const step = await next();
    if (step === 'released') return;
    if (step === 'empty') break;
  } while (performance.now() < sliceEnd);
  await deps.joined.end(lane);
}

function senderOf(lane: LeasedLane): typeof deliverySender {
  if (lane.outlet === 'mail') return mailSender;
  return isPageLane(lane) ? pageSender : deliverySender;
}

/**
 * Returns a function that sends the next message of a lane of pages. The first page leaves at once; those that are added
 * while it is being sent, or while the pace allows no message, are joined in the next one.
 */
function pageSender(deps: LaneDeps, lane: LeasedLane): () => Promise<LaneStep> {
  return async () => {
    const waiting = await deps.joined.due(lane, MOST_JOINED);
    const [first] = waiting;
    if (!first) return 'empty';
    const nowMs = deps.clock.now();
    if (await releaseIfThrottled(deps, lane, first, nowMs)) return 'released';
    const openMs = deps.pace.opensAt(first.channel, lane, nowMs);
    if (openMs !== null) {
      await deps.db.transaction((tx) => deliveryLaneStore.release(tx, [{ ...lane, dueAt: new Date(openMs) }]));
      return 'released';
    }
    const batch = await deps.joined.join(lane, decideJoint(waiting));
    // Another transaction cancels all of them at this moment: the lane is looked at again when its turn comes.
    if (batch.length === 0) return 'empty';
    deps.pace.sent(lane, nowMs);
    const outcome = await deliverBatch(deps, lane, batch, nowMs);
    return (await recordOutcome(deps, lane, batch, outcome)) ? 'sent' : 'released';
  };
}
