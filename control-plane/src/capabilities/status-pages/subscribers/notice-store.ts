import type { Tx } from '../../../platform/db/database.js';
import type { SubscribedPage } from './subscriber-store.js';
import type { Notice } from './subscription-mails.js';

export interface NoticeRow extends Notice {
  id: string;
  toldThrough: string | null;
  page: SubscribedPage;
}

/** What the subscribers of pages are to hear. */
export const noticeStore = {
  async insert(
    workspaceId: string,
    tx: Tx,
    pageId: string,
    { id, subject, body, postId, created }: Notice & { id: string; created: Date },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO status_page_notice (id, workspace_id, page_id, subject, body, post_id, created)
       VALUES ($2, $1, $3, $4, $5, $6, $7)`,
      [workspaceId, id, pageId, subject, body, postId, created],
    );
  },

  /** The oldest that is not told to the end and that no other worker is at; none of these. */
  async holdNext(tx: Tx, except: readonly string[]): Promise<NoticeRow | undefined> {
    const [row] = await tx.query<Omit<NoticeRow, 'page'> & Omit<SubscribedPage, 'id'> & { pageId: string }>(
      `SELECT notice.id, notice.subject, notice.body, notice.post_id AS "postId", notice.told_through AS "toldThrough",
         page.id AS "pageId", page.workspace_id AS "workspaceId", page.slug, page.name
       FROM status_page_notice notice JOIN status_page page ON page.id = notice.page_id
       WHERE NOT notice.done AND notice.id <> ALL ($1::uuid[])
       ORDER BY notice.created, notice.id LIMIT 1 FOR UPDATE OF notice SKIP LOCKED`,
      [except],
    );
    if (!row) return undefined;
    const { pageId, workspaceId, slug, name, ...notice } = row;
    return { ...notice, page: { id: pageId, workspaceId, slug, name } };
  },

  async note(tx: Tx, id: string, toldThrough: string | null, done: boolean): Promise<void> {
    await tx.query('UPDATE status_page_notice SET told_through = $2, done = $3 WHERE id = $1', [id, toldThrough, done]);
  },

  async purge(tx: Tx, before: Date): Promise<void> {
    await tx.query('DELETE FROM status_page_notice WHERE done AND created < $1', [before]);
  },
};
