import type { Tx } from '../../../platform/db/database.js';

export interface SubscriberRow {
  id: string;
  email: string;
}

export interface SubscribedPage {
  id: string;
  workspaceId: string;
  slug: string;
  name: string;
}

export interface AskedSubscriber extends SubscriberRow {
  isConfirmed: boolean;
  /** Requests for this address in the last 24 hours, this one included. */
  asked: number;
}

export const subscriberStore = {
  async count(workspaceId: string, tx: Tx, pageId: string): Promise<number> {
    return tx.value('SELECT count(*) AS count FROM status_page_subscriber WHERE workspace_id = $1 AND page_id = $2', [
      workspaceId,
      pageId,
    ]);
  },

  /** Confirmed subscribers of each of these pages. */
  async confirmedCounts(workspaceId: string, tx: Tx, pageIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await tx.query<{ pageId: string; count: number }>(
      `SELECT page_id AS "pageId", count(*) AS count FROM status_page_subscriber
       WHERE workspace_id = $1 AND page_id = ANY ($2) AND confirmed_at IS NOT NULL GROUP BY page_id`,
      [workspaceId, pageIds],
    );
    return new Map(rows.map(({ pageId, count }) => [pageId, count]));
  },

  /** Records a request for this address, the first or a repeated one. */
  async ask(
    workspaceId: string,
    tx: Tx,
    asked: { id: string; pageId: string; email: string; emailKey: string; now: Date; dayAgo: Date },
  ): Promise<AskedSubscriber> {
    const [row] = await tx.query<AskedSubscriber>(
      `INSERT INTO status_page_subscriber AS known (id, workspace_id, page_id, email, email_key, asked_since, asked, created)
       VALUES ($2, $1, $3, $4, $5, $6, 1, $6)
       ON CONFLICT (page_id, email_key) DO UPDATE SET
         asked = CASE WHEN known.asked_since < $7 THEN 1 ELSE known.asked + 1 END,
         asked_since = CASE WHEN known.asked_since < $7 THEN $6 ELSE known.asked_since END
       RETURNING id, email, confirmed_at IS NOT NULL AS "isConfirmed", asked`,
      [workspaceId, asked.id, asked.pageId, asked.email, asked.emailKey, asked.now, asked.dayAgo],
    );
    return row!;
  },

  /** Requests for an address since a moment, on the status pages of all owners; at most `most` count of each page. */
  async askedOfAll(tx: Tx, emailKey: string, since: Date, most: number): Promise<number> {
    return tx.value(
      `SELECT coalesce(sum(least(asked, $3)), 0)::integer AS asked FROM status_page_subscriber
       WHERE email_key = $1 AND asked_since >= $2`,
      [emailKey, since, most],
    );
  },

  /** Replaces the link; the former one becomes invalid. */
  async offer(workspaceId: string, tx: Tx, id: string, hash: Buffer, until: Date): Promise<void> {
    await tx.query(
      'UPDATE status_page_subscriber SET confirm_hash = $3, confirm_until = $4 WHERE workspace_id = $1 AND id = $2',
      [workspaceId, id, hash, until],
    );
  },

  /** By the token alone, the visitor's only credential. @returns undefined where it was used, replaced, or is too old */
  async confirm(tx: Tx, hash: Buffer, now: Date): Promise<SubscribedPage | undefined> {
    return tx.one(
      `WITH confirmed AS (
         UPDATE status_page_subscriber SET confirmed_at = $2, confirm_hash = NULL, confirm_until = NULL
         WHERE confirm_hash = $1 AND confirm_until > $2 RETURNING page_id
       )
       SELECT page.id, page.workspace_id AS "workspaceId", page.slug, page.name
       FROM confirmed JOIN status_page page ON page.id = confirmed.page_id`,
      [hash, now],
    );
  },

  /** The status page of the subscription that this token confirms. @returns undefined as `confirm` does */
  async awaitingConfirmation(tx: Tx, hash: Buffer, now: Date): Promise<SubscribedPage | undefined> {
    return tx.one(
      `SELECT page.id, page.workspace_id AS "workspaceId", page.slug, page.name
       FROM status_page_subscriber subscriber JOIN status_page page ON page.id = subscriber.page_id
       WHERE subscriber.confirm_hash = $1 AND subscriber.confirm_until > $2`,
      [hash, now],
    );
  },

  async remove(tx: Tx, id: string): Promise<void> {
    await tx.query('DELETE FROM status_page_subscriber WHERE id = $1', [id]);
  },

  async pageOf(tx: Tx, id: string): Promise<SubscribedPage | undefined> {
    return tx.one(
      `SELECT page.id, page.workspace_id AS "workspaceId", page.slug, page.name
       FROM status_page_subscriber subscriber JOIN status_page page ON page.id = subscriber.page_id WHERE subscriber.id = $1`,
      [id],
    );
  },

  async hasConfirmed(workspaceId: string, tx: Tx, pageId: string): Promise<boolean> {
    return tx.some(
      'SELECT FROM status_page_subscriber WHERE workspace_id = $1 AND page_id = $2 AND confirmed_at IS NOT NULL LIMIT 1',
      [workspaceId, pageId],
    );
  },

  /** Confirmed subscribers in the order of their ids, after the given one. */
  async confirmedAfter(
    workspaceId: string,
    tx: Tx,
    pageId: string,
    afterId: string | null,
    limit: number,
  ): Promise<SubscriberRow[]> {
    return tx.query<SubscriberRow>(
      `SELECT id, email FROM status_page_subscriber
       WHERE workspace_id = $1 AND page_id = $2 AND confirmed_at IS NOT NULL AND ($3::uuid IS NULL OR id > $3)
       ORDER BY id LIMIT $4`,
      [workspaceId, pageId, afterId, limit],
    );
  },

  /** Deletes unconfirmed subscribers whose link has expired, or, where none was sent, whose last request is as old. */
  async purgeUnconfirmed(tx: Tx, now: Date, askedBefore: Date): Promise<void> {
    await tx.query(
      `DELETE FROM status_page_subscriber
       WHERE confirmed_at IS NULL AND (confirm_until < $1 OR (confirm_until IS NULL AND asked_since < $2))`,
      [now, askedBefore],
    );
  },
};
