import type { Tx } from '../../../platform/db/database.js';
import { recordAudit } from '../../audit/index.js';
import { disabledGroup } from './disabled-group.js';
import { messageIdOf, pagedUserOf } from './decide-joint.js';
import { decideRetry, decideRetryOfServer } from './decide-retry.js';
import type { DeliveryState } from '../queue/delivery.js';
import type { TimelineEntry } from '../../timeline/index.js';
import type { DeliveryDeps } from '../delivery-deps.js';
import type { LaneDeps } from './joined-delivery.js';
import type { ChannelMessage } from '../queue/channel-message-store.js';
import { deliveryStore, type DueDelivery } from '../queue/delivery-store.js';
import { loggedAttempt } from './logged-attempt.js';
import { channelOf } from '../../channels/index.js';
import type { LeasedLane } from '../queue/delivery-lane.js';
import type { AttemptOutcome } from './attempt-delivery.js';

/** What of a delivery its entry on a timeline shows. */
export type NotedDelivery = Pick<DueDelivery, 'incidentId' | 'channel' | 'address' | 'groupId' | 'purpose'> & {
  event: Pick<DueDelivery['event'], 'type'>;
};

interface Decided {
  state: DeliveryState;
  nextMs: number | null;
}

/**
 * Stores the outcome of an attempt, adds it to the incident's timeline, and releases the lane if the next attempt is
 * later.
 * @param batch the deliveries that one message contained
 * @returns whether this worker still leases the lane
 */
export async function recordOutcome(
  deps: LaneDeps,
  lane: LeasedLane,
  batch: readonly DueDelivery[],
  outcome: AttemptOutcome,
): Promise<boolean> {
  const nowMs = deps.clock.now();
  const at = new Date(nowMs);
  const attempts = Math.max(...batch.map((delivery) => delivery.attempts)) + 1;
  const createdMs = batch[0]!.created.getTime();
  const isJoint = batch.length > 1 && batch[0]!.messageId !== null;
  const { state, nextMs } = decide(outcome, { attempts, createdMs, nowMs, random: Math.random(), isJoint });
  const nextAttempt = nextMs === null ? null : new Date(nextMs);
  const answer =
    batch.length > 1 && state === 'delivered'
      ? `${outcome.answer} It summed up ${batch.length} alerts.`
      : outcome.answer;
  const error = outcome.kind === 'refused' ? outcome.error : null;
  // What a message contains stays fixed; but where a joint one is refused for good, each of its parts is tried alone.
  const messageId = state === 'delivered' ? messageIdOf(batch) : batch[0]!.messageId;
  const isAlone = outcome.kind === 'rejected' && state === 'waiting';
  const { statusCode } = outcome;
  const wasTried = outcome.kind !== 'nowhere' && outcome.kind !== 'unavailable' && outcome.kind !== 'refused';
  const attempt = loggedAttempt(outcome, at, nextAttempt);
  await deps.joined.record({
    lane,
    tried: batch.map(({ id }) => ({
      id,
      state,
      wasTried,
      statusCode,
      answer,
      error,
      at,
      nextAttempt,
      messageId: isAlone ? id : messageId,
      attempt,
    })),
    notes:
      state === 'waiting' || (state === 'delivered' && channelOf(batch[0]!.channel).reportsEnd)
        ? []
        : batch.flatMap((one) => {
            // No page is lost in silence.
            const noted = outcome.kind === 'nowhere' && pagedUserOf(one) !== null ? 'failed' : state;
            return noteOf(
              one,
              lane,
              { state: noted, answer, messageId: messageIdOf(batch), count: batch.length },
              nowMs,
            );
          }),
    messages: messagesOf(batch[0]!, lane, outcome, at),
    nextAttempt,
  });
  if (outcome.kind === 'gone') await deps.db.transaction((tx) => disableGroup(deps, tx, lane, batch, at));
  // Refusals concern the owner, not the operator, and can be many: they are not logged.
  if (state === 'failed' && error === null) {
    const { channel, groupId, id } = batch[0]!;
    deps.logger.warn({ delivery: id, channel, groupId, attempts, answer }, 'a delivery was given up');
  }
  return nextAttempt === null;
}

interface Attempted {
  /** This attempt included. */
  attempts: number;
  createdMs: number;
  nowMs: number;
  /** In [0, 1). */
  random: number;
  /** Whether it was a message to a person about several incidents. */
  isJoint: boolean;
}

function decide(outcome: AttemptOutcome, { attempts, createdMs, nowMs, random, isJoint }: Attempted): Decided {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'delivered', nextMs: null };
    case 'nowhere':
      return { state: 'cancelled', nextMs: null };
    case 'rejected':
      // What one of them contains may be the reason.
      return isJoint ? { state: 'waiting', nextMs: nowMs } : { state: 'failed', nextMs: null };
    case 'gone':
    case 'refused':
      return { state: 'failed', nextMs: null };
    case 'failed': {
      const nextMs = decideRetry(attempts, nowMs, random, outcome.retryAfterMs);
      return nextMs === null ? { state: 'failed', nextMs: null } : { state: 'waiting', nextMs };
    }
    case 'unavailable': {
      const nextMs = decideRetryOfServer(createdMs, nowMs, outcome.retryAfterMs);
      return nextMs === null ? { state: 'failed', nextMs: null } : { state: 'waiting', nextMs };
    }
  }
}

/** The entry of a delivery that is done on the timeline of its incident. */
export function noteOf(
  { incidentId, channel, address, groupId, event, purpose }: NotedDelivery,
  { workspaceId }: Pick<LeasedLane, 'workspaceId'>,
  { state, answer, messageId, count }: { state: DeliveryState; answer: string; messageId: string; count: number },
  atMs: number,
): TimelineEntry[] {
  if (incidentId === null || state === 'cancelled') return [];
  const detail = {
    channel,
    destination: channelOf(channel).mask(address),
    groupId,
    event: event.type,
    purpose,
    // The message that contained it, where it contained others too.
    ...(count > 1 && { messageId, messageCount: count }),
  };
  if (state === 'delivered') return [{ workspaceId, incidentId, event: { type: 'notified', atMs, detail } }];
  return [{ workspaceId, incidentId, event: { type: 'notification_failed', atMs, detail: { ...detail, answer } } }];
}

function messagesOf(
  { incidentId, groupId }: DueDelivery,
  { workspaceId }: LeasedLane,
  outcome: AttemptOutcome,
  at: Date,
): ChannelMessage[] {
  const handle = outcome.kind === 'sent' ? outcome.handle : undefined;
  return handle === undefined || incidentId === null || groupId === null
    ? []
    : [{ workspaceId, incidentId, groupId, handle, at }];
}

/** Disables the group of a batch; its other waiting deliveries are cancelled when they are due. */
async function disableGroup(
  deps: DeliveryDeps,
  tx: Tx,
  { workspaceId }: LeasedLane,
  batch: readonly DueDelivery[],
  at: Date,
): Promise<void> {
  const groupId = batch[0]!.groupId;
  if (groupId === null) return;
  const disabled = await deliveryStore.disableGroup(workspaceId, tx, groupId, at);
  if (!disabled) return;
  await recordAudit(deps, tx, 'system', disabledGroup(disabled));
  deps.logger.warn({ groupId }, 'disabled an action group: its receiver answered 410');
}
