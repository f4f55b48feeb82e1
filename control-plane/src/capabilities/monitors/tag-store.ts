import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import type { TagCount } from './monitor-schemas.js';

/** The tags of monitors, by workspace. */
export const tagStore = {
  /** Every tag with the number of monitors that have it, alphabetical. */
  async page(workspaceId: string, tx: Tx, { limit, offset }: Rows): Promise<ListPage<TagCount>> {
    const rows = await tx.query<{ tag: string | null; monitorCount: number; total: number }>(
      `WITH counted AS MATERIALIZED (
         SELECT tag, count(*) AS "monitorCount" FROM monitor CROSS JOIN unnest(tags) AS tag
         WHERE workspace_id = $1 AND deleted_at IS NULL AND tags <> '{}' GROUP BY tag
       )
       -- the outer join, because a list page after the last one needs the total too
       SELECT tag, "monitorCount", total FROM (SELECT count(*) AS total FROM counted) AS all_tags
       LEFT JOIN (SELECT * FROM counted ORDER BY tag COLLATE "C" LIMIT $2 OFFSET $3) AS page ON true
       ORDER BY tag COLLATE "C"`,
      [workspaceId, limit, offset],
    );
    const found = rows.flatMap(({ tag, monitorCount }) => (tag === null ? [] : [{ tag, monitorCount }]));
    return { items: found, total: rows[0]!.total };
  },
};
