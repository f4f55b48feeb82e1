import type { LaneDeps } from './joined-delivery.js';
import { deliverySender } from './delivery-sender.js';
import { mailSender } from './mail-sender.js';
import { isPageLane, type LeasedLane } from '../queue/delivery-lane.js';
import { pageSender } from './page-sender.js';

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
