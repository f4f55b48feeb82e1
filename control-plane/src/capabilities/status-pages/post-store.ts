import type { Tx } from '../../platform/db/database.js';
import type { PostKind, PostStatus } from './decide-post-faults.js';

export interface PostRow {
  id: string;
  title: string;
  body: string;
  kind: PostKind;
  status: PostStatus;
  systemIds: string[];
  scheduledStart: Date | null;
  scheduledEnd: Date | null;
  createdBy: string;
  created: Date;
  lastModified: Date;
}

export interface PostUpdateRow {
  id: string;
  status: PostStatus;
  body: string | null;
  createdBy: string;
  created: Date;
}

/** Updates shown per post; older ones are stored but not shown. */
const SHOWN_UPDATES = 100;

const COLUMNS = `id, title, body, kind, status, system_ids AS "systemIds", scheduled_start AS "scheduledStart",
  scheduled_end AS "scheduledEnd", created_by AS "createdBy", created, last_modified AS "lastModified"`;

/** The posts of a status page. */
export const postStore = {
  async insert(workspaceId: string, tx: Tx, pageId: string, row: PostRow): Promise<void> {
    await tx.query(
      `INSERT INTO status_page_post (workspace_id, page_id, id, title, body, kind, status, system_ids, scheduled_start,
         scheduled_end, created_by, created, last_modified)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        workspaceId,
        pageId,
        row.id,
        row.title,
        row.body,
        row.kind,
        row.status,
        row.systemIds,
        row.scheduledStart,
        row.scheduledEnd,
        row.createdBy,
        row.created,
        row.lastModified,
      ],
    );
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
    const [count] = await tx.query<{ total: number }>(
      'SELECT count(*) AS total FROM status_page_post WHERE workspace_id = $1 AND page_id = $2',
      [workspaceId, pageId],
    );
    return { rows, total: count!.total };
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
    await tx.query(
      `UPDATE status_page_post SET title = $3, status = $4, system_ids = $5, scheduled_start = $6, scheduled_end = $7,
         last_modified = $8
       WHERE workspace_id = $1 AND id = $2`,
      [
        workspaceId,
        row.id,
        row.title,
        row.status,
        row.systemIds,
        row.scheduledStart,
        row.scheduledEnd,
        row.lastModified,
      ],
    );
  },

  async remove(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.query('DELETE FROM status_page_post WHERE workspace_id = $1 AND id = $2', [workspaceId, id]);
  },

  async addUpdate(workspaceId: string, tx: Tx, postId: string, row: PostUpdateRow): Promise<void> {
    await tx.query(
      `INSERT INTO status_page_post_update (workspace_id, post_id, id, status, body, created_by, created)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [workspaceId, postId, row.id, row.status, row.body, row.createdBy, row.created],
    );
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
