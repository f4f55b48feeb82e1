import type { Tx } from '../../platform/db/database.js';
import { StatusPagePostEntity, StatusPagePostUpdateEntity } from './status-page.entity.js';

export type PostRow = Omit<StatusPagePostEntity, 'workspaceId' | 'pageId'>;
export type PostUpdateRow = Omit<StatusPagePostUpdateEntity, 'workspaceId' | 'postId'>;

/** Updates shown per post; older ones are stored but not shown. */
const SHOWN_UPDATES = 100;

const COLUMNS = `id, title, body, kind, status, system_ids AS "systemIds", scheduled_start AS "scheduledStart",
  scheduled_end AS "scheduledEnd", created_by AS "createdBy", created, last_modified AS "lastModified"`;

/** The posts of a status page. */
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
    const [row] = await tx.query<PostRow>(
      `SELECT ${COLUMNS} FROM status_page_post WHERE workspace_id = $1 AND page_id = $2 AND id = $3 ${lock}`,
      [workspaceId, pageId, id],
    );
    return row;
  },

  /** Newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    pageId: string,
    page: { limit: number; offset: number },
  ): Promise<{ rows: PostRow[]; total: number }> {
    const rows = await tx.query<PostRow>(
      `SELECT ${COLUMNS} FROM status_page_post WHERE workspace_id = $1 AND page_id = $2
       ORDER BY created DESC, id DESC LIMIT $3 OFFSET $4`,
      [workspaceId, pageId, page.limit, page.offset],
    );
    const total = await tx.manager.countBy(StatusPagePostEntity, { workspaceId, pageId });
    return { rows, total };
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

  /** Posts that are not resolved, and resolved ones changed since a moment; newest first. */
  async current(
    workspaceId: string,
    tx: Tx,
    pageId: string,
    { isResolved, since, limit }: { isResolved: boolean; since: Date; limit: number },
  ): Promise<PostRow[]> {
    return tx.query<PostRow>(
      `SELECT ${COLUMNS} FROM status_page_post
       WHERE workspace_id = $1 AND page_id = $2 AND (status = 'resolved') = $3 AND (NOT $3 OR last_modified >= $4)
       ORDER BY created DESC, id DESC LIMIT $5`,
      [workspaceId, pageId, isResolved, since, limit],
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

  /** The newest updates of each of these posts, newest first. */
  async updates(workspaceId: string, tx: Tx, postIds: readonly string[]): Promise<Map<string, PostUpdateRow[]>> {
    const rows = await tx.query<PostUpdateRow & { postId: string }>(
      `SELECT shown."postId", shown.id, shown.status, shown.body, shown."createdBy", shown.created
       FROM unnest($2::uuid[]) AS post (id)
       CROSS JOIN LATERAL (
         SELECT post_id AS "postId", id, status, body, created_by AS "createdBy", created
         FROM status_page_post_update WHERE workspace_id = $1 AND post_id = post.id
         ORDER BY created DESC, id DESC LIMIT $3
       ) shown
       ORDER BY shown.created DESC, shown.id DESC`,
      [workspaceId, postIds, SHOWN_UPDATES],
    );
    const byPost = new Map<string, PostUpdateRow[]>(postIds.map((id) => [id, []]));
    for (const { postId, ...row } of rows) byPost.get(postId)!.push(row);
    return byPost;
  },
};
