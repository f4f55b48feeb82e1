import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.js';
import type { Channels } from '../channels/channels.js';
import type { SendOutcome } from '../channels/send-outcome.js';
import { type ClaimedMail, mailOutboxStore } from '../mail-outbox-store.js';
import { decideRetry } from './decide-retry.js';
import type { DeliveryMetrics } from './delivery-metrics.js';

export interface MailDeps {
  db: Database;
  clock: Clock;
  channels: Pick<Channels, 'mailer'>;
  metrics: DeliveryMetrics;
  logger: Logger;
  /** In [0, 1): for the jitter of retries. */
  random(): number;
}

/** Sends one mail that is no alert's, and writes down what came of it. */
export async function deliverMail(deps: MailDeps, { id, mail, attempts }: ClaimedMail): Promise<void> {
  const started = performance.now();
  const outcome = await deps.channels.mailer.send(id, mail, deps.clock.now()).catch((error: unknown): SendOutcome => {
    deps.logger.error({ err: error, mail: id }, 'a mail could not be made or sent');
    return { kind: 'failed', statusCode: null, answer: 'The mail could not be sent.' };
  });
  deps.metrics.tried('mail', outcome.kind, performance.now() - started);
  const nextMs =
    outcome.kind === 'failed' ? decideRetry(attempts + 1, deps.clock.now(), deps.random(), outcome.retryAfterMs) : null;
  await deps.db.transaction(async (tx) => {
    if (nextMs !== null) await mailOutboxStore.postpone(tx, id, outcome.answer, new Date(nextMs));
    else await mailOutboxStore.finish(tx, id, outcome.kind === 'sent' ? 'delivered' : 'failed', outcome.answer);
  });
  if (nextMs === null && outcome.kind !== 'sent')
    deps.logger.warn({ mail: id, answer: outcome.answer }, 'a mail was given up');
}
