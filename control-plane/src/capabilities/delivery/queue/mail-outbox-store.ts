import type { OutgoingMail } from '../../../platform/mail/mailer.js';
import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { wakeDelivery } from './alert-event-store.js';
import { type LeasedLane, mailLaneOf } from './delivery-lane.js';
import { deliveryLaneStore } from './delivery-lane-store.js';

export interface QueuedMail {
  id: string;
  workspaceId: string;
  mail: OutgoingMail;
  at: Date;
}

export interface DueMail {
  id: string;
  mail: OutgoingMail;
  /** The number of attempts before this one. */
  attempts: number;
  created: Date;
}

/** The queue of mail that is not an alert, over all workspaces. */
export const mailOutboxStore = {
  async insert(tx: Tx, { id, workspaceId, mail, at }: QueuedMail): Promise<void> {
    const lane = mailLaneOf(mail.to);
    const queued = await tx.execute(
      `INSERT INTO outgoing_mail (id, workspace_id, recipient, lane, content, once_key, created)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (once_key) DO NOTHING`,
      [id, workspaceId, mail.to, lane.lane, jsonText(mail), mail.once ?? null, at],
    );
    if (queued === 0) return;
    await deliveryLaneStore.activate(tx, [{ workspaceId, ...lane }], at);
    await wakeDelivery(tx);
  },

  async next({ workspaceId, lane }: LeasedLane, tx: Tx): Promise<DueMail | undefined> {
    return tx.one(
      `SELECT id, content AS mail, attempts, created FROM outgoing_mail
       WHERE workspace_id = $1 AND lane = $2 AND state = 'waiting' ORDER BY id LIMIT 1`,
      [workspaceId, lane],
    );
  },

  /** Stores the answer of an attempt after which the mail waits for the next one. */
  async keepWaiting(workspaceId: string, tx: Tx, id: string, wasTried: boolean, answer: string): Promise<void> {
    await tx.query(
      `UPDATE outgoing_mail SET attempts = attempts + $3::integer, answer = $4
       WHERE workspace_id = $1 AND id = $2 AND state = 'waiting'`,
      [workspaceId, id, wasTried ? 1 : 0, answer],
    );
  },

  /** Stores the last outcome and deletes the content, which may contain secret links. */
  async finish(workspaceId: string, tx: Tx, id: string, state: 'delivered' | 'failed', answer: string): Promise<void> {
    await tx.query(
      `UPDATE outgoing_mail SET state = $3, attempts = attempts + 1, answer = $4, content = '{}'
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, state, answer],
    );
  },

  async backlog(tx: Tx): Promise<{ waiting: number; oldest: Date | null }> {
    const [row] = await tx.query<{ waiting: number; oldest: Date | null }>(
      `SELECT count(*) AS waiting, min(created) AS oldest FROM outgoing_mail WHERE state = 'waiting'`,
    );
    return row!;
  },

  /** @returns how many were deleted */
  async purge(tx: Tx, before: Date, limit: number): Promise<number> {
    return tx.execute(
      `WITH old AS (SELECT id FROM outgoing_mail WHERE created < $1 AND state <> 'waiting' LIMIT $2 FOR UPDATE SKIP LOCKED)
       DELETE FROM outgoing_mail USING old WHERE outgoing_mail.id = old.id`,
      [before, limit],
    );
  },
};
