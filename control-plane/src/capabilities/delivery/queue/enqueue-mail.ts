import type { OutgoingMail } from '../../../platform/mail/mailer.js';
import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import { mailOutboxStore } from './mail-outbox-store.js';

/**
 * Queues a mail in the caller's transaction. After the commit it is sent, with retries, even if this process dies;
 * after a rollback it is not.
 */
export async function enqueueMail(
  deps: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  mail: OutgoingMail,
): Promise<void> {
  const nowMs = deps.clock.now();
  await mailOutboxStore.insert(tx, { id: newId(nowMs), workspaceId, mail, at: new Date(nowMs) });
}
