import type { Tx } from '../db/database.js';
import { wakeDelivery } from './alert-event-store.js';
import type { OutgoingMail } from './enqueue-mail.js';

export interface QueuedMail {
  id: string;
  /** null for mail that is of no workspace. */
  workspaceId: string | null;
  mail: OutgoingMail;
  at: Date;
}

/** A mail that a worker has. */
export interface ClaimedMail {
  id: string;
  mail: OutgoingMail;
  /** How often it was tried before. */
  attempts: number;
}

/** Mail that waits to be sent, of all workspaces. */
export const mailOutboxStore = {
  async insert(tx: Tx, { id, workspaceId, mail, at }: QueuedMail): Promise<void> {
    await tx.query(
      `INSERT INTO outgoing_mail (id, workspace_id, recipient, content, once_key, created, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (once_key) DO NOTHING`,
      [id, workspaceId, mail.to, JSON.stringify(mail), mail.once ?? null, at],
    );
    await wakeDelivery(tx);
  },

  /** Takes what is due until `leaseEnd`: a worker that dies loses it to another one then. */
  async claim(tx: Tx, now: Date, leaseEnd: Date, limit: number): Promise<ClaimedMail[]> {
    return tx.query<ClaimedMail>(
      `WITH due AS (
         SELECT id FROM outgoing_mail WHERE state = 'waiting' AND next_attempt_at <= $1
         ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE outgoing_mail SET next_attempt_at = $2 FROM due WHERE outgoing_mail.id = due.id
         RETURNING outgoing_mail.id, content AS mail, attempts
       ) SELECT * FROM taken`,
      [now, leaseEnd, limit],
    );
  },

  async postpone(tx: Tx, id: string, answer: string, nextAttempt: Date): Promise<void> {
    await tx.query(
      `UPDATE outgoing_mail SET attempts = attempts + 1, answer = $2, next_attempt_at = $3 WHERE id = $1 AND state = 'waiting'`,
      [id, answer, nextAttempt],
    );
  },

  /** From now on what it said is gone: it may have held links that are secrets. */
  async finish(tx: Tx, id: string, state: 'delivered' | 'failed', answer: string): Promise<void> {
    await tx.query(
      `UPDATE outgoing_mail SET state = $2, attempts = attempts + 1, answer = $3, next_attempt_at = NULL, content = '{}'
       WHERE id = $1`,
      [id, state, answer],
    );
  },

  async backlog(tx: Tx): Promise<{ waiting: number; oldest: Date | null }> {
    const [row] = await tx.query<{ waiting: number; oldest: Date | null }>(
      `SELECT count(*) AS waiting, min(created) AS oldest FROM outgoing_mail WHERE state = 'waiting'`,
    );
    return row!;
  },

  /** @returns how many are gone */
  async purge(tx: Tx, before: Date, limit: number): Promise<number> {
    const rows = await tx.query(
      `WITH old AS (SELECT id FROM outgoing_mail WHERE created < $1 AND state <> 'waiting' LIMIT $2 FOR UPDATE SKIP LOCKED),
         gone AS (DELETE FROM outgoing_mail USING old WHERE outgoing_mail.id = old.id RETURNING outgoing_mail.id)
       SELECT id FROM gone`,
      [before, limit],
    );
    return rows.length;
  },
};
