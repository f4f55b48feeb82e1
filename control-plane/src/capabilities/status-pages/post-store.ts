import { columnsOf } from '../../platform/db/columns.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { StatusPagePostEntity, StatusPagePostUpdateEntity } from './status-page.entity.js';

export type PostRow = Omit<StatusPagePostEntity, 'workspaceId' | 'pageId'>;
export type PostUpdateRow = Omit<StatusPagePostUpdateEntity, 'workspaceId' | 'postId'>;

/** The thread of a post, newest first. */
export interface ThreadRows {
  updates: PostUpdateRow[];
  /** Whether older updates are left out. */
  isShortened: boolean;
}

/** Updates shown per post; older ones are stored but not shown. */
const SHOWN_UPDATES = 100;

const COLUMNS = columnsOf(StatusPagePostEntity, { without: ['workspaceId', 'pageId'] });

export const postStore = {
  async insert(workspaceId: string, tx: Tx, pageId: string, row: PostRow): Promise<void> {
    await tx.manager.insert(StatusPagePostEntity, { ...row, workspaceId, pageId });
  },

  async find(
    workspaceId: string,
    tx: Tx,
    pageId: string,
    id: string,
    lock: 'FOR UPDATE' | '' = '',
  ): Promise<PostRow | undefined> {
    return tx.one(
      `SELECT ${COLUMNS} FROM status_page_post WHERE workspace_id = $1 AND page_id = $2 AND id = $3 ${lock}`,
      [workspaceId, pageId, id],
    );
  },

  /** Newest first. */
  async page(workspaceId: string, tx: Tx, pageId: string, rows: Rows): Promise<ListPage<PostRow>> {
    const where = 'workspace_id = $1 AND page_id = $2';
    const list = { columns: COLUMNS, from: 'status_page_post', where, orderBy: 'created DESC, id DESC' };
    return tx.page(list, [workspaceId, pageId], rows);
  },

  /** Posts that are not resolved, of each of these pages. */
  async openCounts(workspaceId: string, tx: Tx, pageIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await tx.query<{ pageId: string; count: number }>(
      `SELECT page_id AS "pageId", count(*) AS count FROM status_page_post
       WHERE workspace_id = $1 AND page_id = ANY ($2) AND status <> 'resolved' GROUP BY page_id`,
      [workspaceId, pageIds],
    );
    return new Map(rows.map(({ pageId, count }) => [pageId, count]));
  },

  /**
   * Posts that are not resolved, or resolved ones changed since a moment; newest first. After `textBytes` of bodies, longer
   * ones are shortened to `beginning` characters.
   */
  async current(
    workspaceId: string,
    tx: Tx,
    pageId: string,
    bounds: { isResolved: boolean; since: Date; limit: number; textBytes: number; beginning: number },
  ): Promise<(PostRow & { isShortened: boolean })[]> {
    const { isResolved, since, limit, textBytes, beginning } = bounds;
    return tx.query<PostRow & { isShortened: boolean }>(
      `SELECT ${COLUMNS}, CASE WHEN "isShortened" THEN left(body, $7) || ' …' ELSE body END AS body, "isShortened"
       FROM (
         SELECT *, sum(octet_length(body)) OVER (ORDER BY created DESC, id DESC) > $6 AND length(body) > $7 AS "isShortened"
         FROM status_page_post
         WHERE workspace_id = $1 AND page_id = $2 AND (status = 'resolved') = $3 AND (NOT $3 OR last_modified >= $4)
         ORDER BY created DESC, id DESC LIMIT $5
       ) post
       ORDER BY created DESC, id DESC`,
      [workspaceId, pageId, isResolved, since, limit, textBytes, beginning],
    );
  },

  async update(workspaceId: string, tx: Tx, row: PostRow): Promise<void> {
    const { id, title, status, systemIds, scheduledStart, scheduledEnd, lastModified } = row;
    const change = { title, status, systemIds, scheduledStart, scheduledEnd, lastModified };
    await tx.manager.update(StatusPagePostEntity, { workspaceId, id }, change);
  },

  async remove(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(StatusPagePostEntity, { workspaceId, id });
  },

  async addUpdate(workspaceId: string, tx: Tx, postId: string, row: PostUpdateRow): Promise<void> {
    await tx.manager.insert(StatusPagePostUpdateEntity, { ...row, workspaceId, postId });
  },

  /**
   * The newest updates of each of these posts.
   * @param textBytes of all updates together; older ones are left out. null: no bound
   */
  async threads(
    workspaceId: string,
    tx: Tx,
    postIds: readonly string[],
    textBytes: number | null,
  ): Promise<Map<string, ThreadRows>> {
    // The length of a text that is stored compressed is known without reading it.
    const rows = await tx.query<PostUpdateRow & { postId: string; isLeftOut: boolean }>(
      `SELECT "postId", id, status, CASE WHEN NOT "isLeftOut" THEN body END AS body, "createdBy", created, "isLeftOut"
       FROM (
         SELECT shown.*, coalesce(sum(octet_length(shown.body)) OVER (ORDER BY shown.created DESC, shown.id DESC) > $4, false)
           AS "isLeftOut"
         FROM unnest($2::uuid[]) AS post (id)
         CROSS JOIN LATERAL (
           SELECT post_id AS "postId", id, status, body, created_by AS "createdBy", created
           FROM status_page_post_update WHERE workspace_id = $1 AND post_id = post.id
           ORDER BY created DESC, id DESC LIMIT $3
         ) shown
       ) bounded
       ORDER BY created DESC, id DESC`,
      [workspaceId, postIds, SHOWN_UPDATES + 1, textBytes],
    );
    const threads = new Map<string, ThreadRows>(postIds.map((id) => [id, { updates: [], isShortened: false }]));
    for (const { postId, isLeftOut, ...row } of rows) {
      const thread = threads.get(postId)!;
      if (isLeftOut || thread.updates.length === SHOWN_UPDATES) thread.isShortened = true;
      else thread.updates.push(row);
    }
    return threads;
  },
};
