import type { Tx } from '../../../platform/db/database.js';
import type { SubscribedPage } from './subscriber-store.js';
import type { Notice } from './subscription-mails.js';

export interface NoticeRow extends Notice {
  id: string;
  ownerId: string;
  /** Whether the page is published now. */
  isPublished: boolean;
  sentThrough: string | null;
  /** Whether visitors can read its post: it was not deleted, and resolved ones are part of the history. */
  isPostShown: boolean;
  page: SubscribedPage;
}

/** Whether a notice is to be sent, as a condition of a due task. */
export const IS_NOTICE_OPEN = 'EXISTS (SELECT FROM status_page_notice WHERE NOT done)';

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

  /**
   * Locks the oldest notice that is not completely sent and not locked by another worker, except these: of an owner who was
   * never served, or else of the one who was served the longest ago.
   * @param served owners, the one served the longest ago first
   */
  async holdNext(tx: Tx, except: readonly string[], served: readonly string[]): Promise<NoticeRow | undefined> {
    const [row] = await tx.query<Omit<NoticeRow, 'page'> & Omit<SubscribedPage, 'id'> & { pageId: string }>(
      `SELECT notice.id, workspace.owner_id AS "ownerId", notice.subject, notice.body, notice.post_id AS "postId", notice.sent_through AS "sentThrough",
         EXISTS (SELECT FROM status_page_post post WHERE post.id = notice.post_id
           AND (page.show_incident_history OR post.status <> 'resolved')) AS "isPostShown",
         page.is_published AS "isPublished", page.id AS "pageId", page.workspace_id AS "workspaceId", page.slug, page.name
       FROM status_page_notice notice JOIN status_page page ON page.id = notice.page_id
         JOIN workspace ON workspace.id = page.workspace_id
       WHERE NOT notice.done AND notice.id <> ALL ($1::uuid[])
       ORDER BY array_position($2::uuid[], workspace.owner_id) NULLS FIRST, notice.created, notice.id
       LIMIT 1 FOR UPDATE OF notice SKIP LOCKED`,
      [except, served],
    );
    if (!row) return undefined;
    const { pageId, workspaceId, slug, name, ...notice } = row;
    return { ...notice, page: { id: pageId, workspaceId, slug, name } };
  },

  async recordProgress(tx: Tx, id: string, sentThrough: string | null, done: boolean): Promise<void> {
    await tx.query('UPDATE status_page_notice SET sent_through = $2, done = $3 WHERE id = $1', [id, sentThrough, done]);
  },

  async purge(tx: Tx, before: Date): Promise<void> {
    await tx.query('DELETE FROM status_page_notice WHERE done AND created < $1', [before]);
  },
};
