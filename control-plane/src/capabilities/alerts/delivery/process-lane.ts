import type { DeliveryDeps } from './delivery-deps.js';
import { deliverySender } from './delivery-sender.js';
import { mailSender } from './mail-sender.js';
import type { LeasedLane } from './delivery-lane.js';
import { deliveryLaneStore } from './delivery-lane-store.js';

/**
 * How long a lane keeps its slot while others may wait for it, ms. What is being sent when the slice ends is sent to
 * its end, so a slot is held for a slice and one try at most.
 */
const SLICE_MS = 1_000;

/**
 * Sends what waits in a lane, one after the other, until nothing does, something has to wait, or the slice is over.
 * A later message never goes out before an earlier one.
 */
export async function processLane(deps: DeliveryDeps, lane: LeasedLane): Promise<void> {
  const { db, clock } = deps;
  const sliceEnd = performance.now() + SLICE_MS;
  const next = lane.outlet === 'mail' ? mailSender(deps, lane) : deliverySender(deps, lane);
  do {
    const step = await next();
    if (step === 'released') return;
    if (step === 'empty' && (await db.transaction((tx) => deliveryLaneStore.releaseIfEmpty(lane, tx)))) return;
  } while (performance.now() < sliceEnd);
  await db.transaction((tx) => deliveryLaneStore.yield(lane, tx, new Date(clock.now())));
}
