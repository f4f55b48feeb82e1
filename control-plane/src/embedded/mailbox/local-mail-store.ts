import type { Tx } from '../../platform/db/database.js';

/** A mail that was not sent, because no mail server is configured. */
export interface LocalMail {
  id: string;
  at: Date;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}

/** The mails of the local mailbox, of all workspaces. */
export const localMailStore = {
  async insert(tx: Tx, { id, at, recipient, subject, text, html }: LocalMail): Promise<void> {
    await tx.query('INSERT INTO local_mail (id, at, recipient, subject, text, html) VALUES ($1, $2, $3, $4, $5, $6)', [
      id,
      at,
      recipient,
      subject,
      text,
      html,
    ]);
  },

  async keepNewest(tx: Tx, most: number): Promise<void> {
    await tx.query('DELETE FROM local_mail WHERE id IN (SELECT id FROM local_mail ORDER BY id DESC OFFSET $1)', [most]);
  },

  async newest(tx: Tx, limit: number): Promise<LocalMail[]> {
    return tx.query<LocalMail>(
      'SELECT id, at, recipient, subject, text, html FROM local_mail ORDER BY id DESC LIMIT $1',
      [limit],
    );
  },
};
