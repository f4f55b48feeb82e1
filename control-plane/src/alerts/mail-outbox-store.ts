import type { Tx } from '../db/database.js';
import type { OutgoingMail } from './enqueue-mail.js';

export interface QueuedMail {
  id: string;
  /** null for mail that is of no workspace. */
  workspaceId: string | null;
  mail: OutgoingMail;
  at: Date;
}

/** Mail that waits to be sent. */
export const mailOutboxStore = {
  async insert(tx: Tx, { id, workspaceId, mail, at }: QueuedMail): Promise<void> {
    await tx.query(
      `INSERT INTO outgoing_mail (id, workspace_id, recipient, content, once_key, created, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (once_key) DO NOTHING`,
      [id, workspaceId, mail.to, JSON.stringify(mail), mail.once ?? null, at],
    );
  },
};
