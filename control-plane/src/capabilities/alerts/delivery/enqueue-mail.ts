import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import type { OutgoingMail } from '../channels/mailer.js';
import { mailOutboxStore } from './mail-outbox-store.js';

/**
 * Hands a mail to delivery in the caller's transaction: rolled back, it is never sent; committed, it is, with
 * retries, even if this process dies now.
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
