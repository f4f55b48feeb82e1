import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import { channelOf, type Destination } from '../../channels/index.js';
import { resolveContact, resolveDestination, wholeRules } from '../../group-settings/index.js';
import type { LaneDeps } from './joined-delivery.js';
import { deliveryStore, type DueDelivery } from '../queue/delivery-store.js';
import { decideJoint, messageIdOf } from './decide-joint.js';
import { decideThrottle } from './decide-throttle.js';
import { contactMethodStore } from '../queue/contact-method-store.js';
import { contactMethodOf, type LeasedLane, type LaneStep } from '../queue/delivery-lane.js';
import { deliveryLaneStore } from '../queue/delivery-lane-store.js';
import { moveDeliveries } from '../queue/delivery-move-store.js';
import { recordOutcome } from './record-outcome.js';
import { type AttemptOutcome, attemptDelivery } from './attempt-delivery.js';

/** The largest number of deliveries that one message sums up; the next message contains the others. */
const MAX_SUMMED_UP = 100;

/**
 * How many deliveries are read at once, and for how long they are used: later cancellations still take effect. While
 * messages are slow, fewer are read, because they would be read again.
 */
const READ_AHEAD = { first: 5, most: 20, ms: 250 };

/** Returns a function that sends the next delivery of a lane, or those that one message sums up. */
export function deliverySender(deps: LaneDeps, lane: LeasedLane): () => Promise<LaneStep> {
  let ahead: DueDelivery[] = [];
  let readAt = 0;
  let most = READ_AHEAD.first;
  let used = 0;
  return async () => {
    const nowMs = deps.clock.now();
    if (ahead.length === 0 || performance.now() - readAt > READ_AHEAD.ms) {
      if (readAt > 0) most = ahead.length === 0 ? Math.min(2 * most, READ_AHEAD.most) : used + 1;
      ahead = await deps.joined.due(lane, most);
      readAt = performance.now();
      used = 0;
    }
    used++;
    const first = ahead.shift();
    if (!first) return 'empty';
    if (await releaseIfThrottled(deps, lane, first, nowMs)) return 'released';
    const batch = await batchOf(deps, lane, first);
    if (batch.length === 0) return 'empty';
    const outcome = await deliverBatch(deps, lane, batch, nowMs);
    // Any other outcome may have changed what comes next, such as the group or the deliveries that were summed up.
    if (outcome.kind !== 'sent' || first.throttled || batch.length > 1) ahead = [];
    const handle = outcome.kind === 'sent' ? outcome.handle : undefined;
    if (handle) ahead = ahead.map((next) => (next.incidentId === first.incidentId ? { ...next, handle } : next));
    if (outcome.kind === 'nowhere' && (await moveToOtherGroups(deps, lane, batch))) return 'moved';
    return (await recordOutcome(deps, lane, batch, outcome)) ? 'sent' : 'released';
  };
}

/** Sends one message about these deliveries, under the id of the message that contains them. */
export async function deliverBatch(
  deps: LaneDeps,
  lane: LeasedLane,
  batch: readonly DueDelivery[],
  nowMs: number,
): Promise<AttemptOutcome> {
  const { workspaceId } = lane;
  const first = batch[0]!;
  const destination = await tryResolve(deps, lane, first, nowMs);
  if (typeof destination === 'string') return { kind: 'nowhere', statusCode: null, answer: destination };
  if ('kind' in destination) return destination;
  const admit = deps.joined.admit.bind(deps.joined);
  const message = { ...first, id: messageIdOf(batch) };
  return attemptDelivery({ ...deps, admit }, workspaceId, destination, message, batch, nowMs);
}

/** Secrets that cannot be opened (sealed with another key) may become readable later, so the delivery is retried. */
async function tryResolve(
  deps: LaneDeps,
  lane: LeasedLane,
  delivery: DueDelivery,
  nowMs: number,
): Promise<Destination | string | SendOutcome> {
  if (delivery.isGone) return 'The person is no active member of the workspace any more.';
  const isContact = delivery.groupId === null && !channelOf(delivery.channel).isPersonal;
  const contact =
    isContact && (await deps.db.read((tx) => contactMethodStore.find(lane.workspaceId, tx, contactMethodOf(lane))));
  try {
    if (contact === undefined) return 'The person has removed this contact method.';
    if (contact) return resolveContact(deps.secretBox, contact, contact.lender);
    return resolveDestination(deps.secretBox, delivery, delivery.group, nowMs);
  } catch (error) {
    deps.logger.error({ err: error, groupId: delivery.groupId }, 'failed to open the secrets of an action group');
    return { kind: 'failed', statusCode: null, answer: 'The secrets of the channel cannot be read.' };
  }
}

/**
 * Returns the deliveries that the next message contains. Those of a digest are fixed before its first attempt; none are left
 * where another transaction cancels them at this moment.
 */
async function batchOf(deps: LaneDeps, lane: LeasedLane, first: DueDelivery): Promise<DueDelivery[]> {
  if (first.throttled) return waitingTogether(deps, lane, first);
  const { digestAfter } = wholeRules(first.group?.rules ?? {});
  // At a service for incidents each is an alert of its own.
  const mayJoin = digestAfter !== null && first.attempts === 0 && channelOf(first.channel).category !== 'incidents';
  if (first.messageId === null && !mayJoin) return [first];
  const waiting = await deps.joined.due(lane, MAX_SUMMED_UP);
  const other = waiting.findIndex(({ groupId }) => groupId !== first.groupId);
  const joint = decideJoint(other === -1 ? waiting : waiting.slice(0, other));
  if (first.messageId !== null) return joint;
  return joint.length < digestAfter! ? [first] : deps.joined.join(lane, joint);
}

/** Returns the waiting deliveries of the same group: one message contains them all. */
async function waitingTogether(deps: LaneDeps, lane: LeasedLane, first: DueDelivery): Promise<DueDelivery[]> {
  const waiting = await deps.joined.due(lane, MAX_SUMMED_UP);
  const together = waiting.filter(({ groupId }) => groupId === first.groupId);
  return together.length === 0 ? [first] : together;
}

/**
 * Moves deliveries that their group no longer sends to other groups of the monitor, which then send them.
 * @returns whether any was moved; the others are cancelled when they are sent again
 */
async function moveToOtherGroups(
  deps: LaneDeps,
  { workspaceId }: LeasedLane,
  batch: readonly DueDelivery[],
): Promise<boolean> {
  const ids = batch.map(({ id }) => id);
  return (await deps.db.transaction((tx) => moveDeliveries(workspaceId, tx, ids))) > 0;
}

/** Releases the lane if the throttle of its channel allows no message now. @returns whether it does not */
export async function releaseIfThrottled(
  deps: LaneDeps,
  lane: LeasedLane,
  first: DueDelivery,
  nowMs: number,
): Promise<boolean> {
  const { throttle } = channelOf(first.channel);
  if (!throttle) return false;
  const since = new Date(nowMs - throttle.windowMs);
  const sent = await deps.db.read((tx) => deliveryStore.sentSince(lane, tx, since));
  const openMs = decideThrottle(sent, nowMs, throttle);
  if (openMs === null) return false;
  deps.metrics.throttled(first.channel);
  await deps.db.transaction(async (tx) => {
    await deliveryStore.throttle(lane, tx, new Date(openMs));
    await deliveryLaneStore.release(tx, [{ ...lane, dueAt: new Date(openMs) }]);
  });
  return true;
}
