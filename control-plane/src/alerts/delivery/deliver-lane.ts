import type { HeldLane } from './delivery.js';
import type { DeliveryDeps } from './delivery-deps.js';
import { deliveryStore, type DueDelivery } from './delivery-store.js';
import { decideThrottle, THROTTLES } from './decide-throttle.js';
import { laneStore } from './lane-store.js';
import { openDestination } from './open-destination.js';
import { recordOutcome } from './record-outcome.js';
import { tryDestination } from './try-destination.js';

/** Longer than any try and what is written after it: who is silent for this long is dead. */
export const LEASE_MS = 30_000;
/** So many in a row, and then others that wait have a turn. */
const MOST_IN_A_ROW = 200;
/** Most that one message sums up; what is more goes into the next. */
const MOST_SUMMED_UP = 100;

/**
 * Sends what waits in a lane, one after the other, until nothing does or something has to wait. A later event never
 * goes out before an earlier one.
 */
export async function deliverLane(deps: DeliveryDeps, lane: HeldLane): Promise<void> {
  for (let count = 0; count < MOST_IN_A_ROW; count++) {
    const nowMs = deps.clock.now();
    const found = await deps.db.read(async (tx) => {
      const isOurs = await laneStore.renew(lane, tx, new Date(nowMs + LEASE_MS));
      return isOurs ? await deliveryStore.due(lane, tx, 1) : null;
    });
    if (!found) return;
    const first = found[0];
    if (!first) {
      if (await deps.db.transaction((tx) => laneStore.releaseIfEmpty(lane, tx))) return;
      continue;
    }
    if (await isThrottled(deps, lane, first, nowMs)) return;
    const batch = first.held ? await heldTogether(deps, lane) : [first];
    if (!(await deliverBatch(deps, lane, batch, nowMs))) return;
  }
  await deps.db.transaction((tx) => laneStore.release(lane, tx, new Date(deps.clock.now())));
}

/** @returns whether the lane is still ours */
async function deliverBatch(
  deps: DeliveryDeps,
  lane: HeldLane,
  batch: readonly DueDelivery[],
  nowMs: number,
): Promise<boolean> {
  const first = batch[0];
  if (!first) return true;
  const destination = openDestination(deps.secretBox, first, first.group, nowMs);
  if (typeof destination === 'string') {
    return recordOutcome(deps, lane, batch, { kind: 'nowhere', statusCode: null, answer: destination });
  }
  const outcome = await tryDestination(deps, destination, first.id, batch, nowMs);
  return recordOutcome(deps, lane, batch, outcome);
}

/** All that waits in the lane: it goes out as one message, where its destination is the same for all. */
async function heldTogether(deps: DeliveryDeps, lane: HeldLane): Promise<DueDelivery[]> {
  const waiting = await deps.db.read((tx) => deliveryStore.due(lane, tx, MOST_SUMMED_UP));
  const first = waiting[0];
  return waiting.filter(({ groupId }) => groupId === first?.groupId);
}

/** Gives the lane back until its recipient may be written to again. */
async function isThrottled(deps: DeliveryDeps, lane: HeldLane, first: DueDelivery, nowMs: number): Promise<boolean> {
  const throttle = THROTTLES[first.channel];
  if (!throttle) return false;
  const since = new Date(nowMs - throttle.windowMs);
  const sent = await deps.db.read((tx) => deliveryStore.sentSince(lane, tx, since));
  const openMs = decideThrottle(sent, nowMs, throttle);
  if (openMs === null) return false;
  deps.metrics.throttled(first.channel);
  await deps.db.transaction(async (tx) => {
    await deliveryStore.hold(lane, tx, new Date(openMs));
    await laneStore.release(lane, tx, new Date(openMs));
  });
  return true;
}
