import { decideJoint, MOST_JOINED } from './decide-joint.js';
import type { LeasedLane, LaneStep } from '../queue/delivery-lane.js';
import { deliveryLaneStore } from '../queue/delivery-lane-store.js';
import { deliverBatch, releaseIfThrottled } from './delivery-sender.js';
import type { LaneDeps } from './joined-delivery.js';
import { recordOutcome } from './record-outcome.js';

/**
 * Returns a function that sends the next message of a lane of pages. The first page leaves at once; those that are added
 * while it is being sent, or while the pace allows no message, are joined in the next one.
 */
export function pageSender(deps: LaneDeps, lane: LeasedLane): () => Promise<LaneStep> {
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
