import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import { type DueMail, mailOutboxStore } from '../queue/mail-outbox-store.js';
import { decideRetry, decideRetryOfServer } from './decide-retry.js';
import type { DeliveryDeps } from '../delivery-deps.js';
import type { LeasedLane, LaneStep } from '../queue/delivery-lane.js';
import { deliveryLaneStore } from '../queue/delivery-lane-store.js';

export function mailSender(deps: DeliveryDeps, lane: LeasedLane): () => Promise<LaneStep> {
  return async () => {
    const due = await deps.db.read((tx) => mailOutboxStore.next(lane, tx));
    if (!due) return 'empty';
    const outcome = await trySend(deps, due);
    const nextMs = decideNext(due, outcome, deps.clock.now(), Math.random());
    const { workspaceId } = lane;
    await deps.db.transaction(async (tx) => {
      if (nextMs === null) {
        const state = outcome.kind === 'sent' ? 'delivered' : 'failed';
        await mailOutboxStore.finish(workspaceId, tx, due.id, state, outcome.answer);
      } else {
        await mailOutboxStore.keepWaiting(workspaceId, tx, due.id, outcome.kind !== 'unavailable', outcome.answer);
        await deliveryLaneStore.release(tx, [{ ...lane, dueAt: new Date(nextMs) }]);
      }
    });
    if (nextMs === null && outcome.kind !== 'sent')
      deps.logger.warn({ mail: due.id, answer: outcome.answer }, 'a mail was given up');
    return nextMs === null ? 'sent' : 'released';
  };
}

async function trySend({ channels, clock, logger, metrics }: DeliveryDeps, due: DueMail): Promise<SendOutcome> {
  const started = performance.now();
  const outcome = await channels.mailer.send(due.id, due.mail, clock.now()).catch((error: unknown): SendOutcome => {
    logger.error({ err: error, mail: due.id }, 'failed to compose or send a mail');
    return { kind: 'failed', statusCode: null, answer: 'The mail could not be sent.' };
  });
  metrics.tried('mail', outcome.kind, performance.now() - started);
  return outcome;
}

/** @returns when the next attempt is due, ms since the epoch; null: the mail was sent or is given up */
function decideNext(due: DueMail, outcome: SendOutcome, nowMs: number, random: number): number | null {
  if (outcome.kind === 'failed') return decideRetry(due.attempts + 1, nowMs, random, outcome.retryAfterMs);
  if (outcome.kind === 'unavailable') return decideRetryOfServer(due.created.getTime(), nowMs, outcome.retryAfterMs);
  return null;
}
