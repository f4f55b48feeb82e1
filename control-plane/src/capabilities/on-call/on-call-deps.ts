import type { Clock } from '@watchpost/shared/clock';
import type { Transactions, Tx } from '../../platform/db/database.js';
import type { OutgoingMail } from '../../platform/mail/mailer.js';

/** What teams and schedules take. */
export interface OnCallDeps {
  db: Transactions;
  clock: Clock;
}

/** What changes of schedules take, which people hear of by mail. */
export interface ScheduleDeps extends OnCallDeps {
  /** Without a slash at the end. */
  baseUrl: string;
  sendMail(tx: Tx, workspaceId: string, mail: OutgoingMail): Promise<unknown>;
}
