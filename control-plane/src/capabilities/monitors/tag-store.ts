import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import type { TagCount } from './monitor-schemas.js';

const ORDERS = { tag: 'tag COLLATE "C"', '-monitorCount': '"monitorCount" DESC, tag COLLATE "C"' };

export type TagSort = keyof typeof ORDERS;

export const tagStore = {
  /** Every tag with the number of monitors that have it. */
  async page(workspaceId: string, tx: Tx, sort: TagSort, { limit, offset }: Rows): Promise<ListPage<TagCount>> {
    const rows = await tx.query<{ tag: string | null; monitorCount: number; total: number }>(
      `WITH counted AS MATERIALIZED (
         SELECT tag, count(*) AS "monitorCount" FROM monitor CROSS JOIN unnest(tags) AS tag
         WHERE workspace_id = $1 AND deleted_at IS NULL AND tags <> '{}' GROUP BY tag
       )
       -- the outer join, because a list page after the last one needs the total too
       SELECT tag, "monitorCount", total FROM (SELECT count(*) AS total FROM counted) AS all_tags
       LEFT JOIN (SELECT * FROM counted ORDER BY ${ORDERS[sort]} LIMIT $2 OFFSET $3) AS page ON true
       ORDER BY ${ORDERS[sort]}`,
      [workspaceId, limit, offset],
    );
    const found = rows.flatMap(({ tag, monitorCount }) => (tag === null ? [] : [{ tag, monitorCount }]));
    return { items: found, total: rows[0]!.total };
  },
};

/** Name and URL of a monitor, without the joins of `monitor_view`. */
export const monitorNameStore = {
  async find(workspaceId: string, tx: Tx, id: string): Promise<{ name: string; url: string | null } | undefined> {
    return tx.one('SELECT name, url FROM monitor WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL', [
      workspaceId,
      id,
    ]);
  },
};
