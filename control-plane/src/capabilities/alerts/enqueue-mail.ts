import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import { mailOutboxStore } from './mail-outbox-store.js';

/** A mail that is to be sent; the sender is the operator's `MAIL_FROM`. */
export interface OutgoingMail {
  /** One address. */
  to: string;
  /** Line breaks and control characters are taken out. */
  subject: string;
  text: string;
  /** A whole document, escaped by whoever wrote it. */
  html: string;
  /** The id of the thread that the mail belongs to: an incident, for example. */
  thread?: string;
  /** For `List-Unsubscribe` and `List-Unsubscribe-Post` (RFC 8058). */
  unsubscribeUrl?: string;
  /** Mails of the same key are sent once: a second one changes nothing. */
  once?: string;
}

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
