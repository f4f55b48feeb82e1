import type { Tx } from '../../platform/db/database.js';
import { valuesOf } from '../../platform/db/values-of.js';

/** A tag that a monitor has now and did not have before. */
interface AddedTag {
  monitorKey: number;
  tag: string;
}

/** By which groups and monitors of a workspace tags join, from arrays of keys and tags at $2 and $3. */
const JOINED = `(SELECT DISTINCT g.id AS group_id, added.monitor_key
  FROM unnest($2::bigint[], $3::text[]) AS added (monitor_key, tag)
  JOIN action_group g ON g.workspace_id = $1 AND g.is_enabled AND added.tag = ANY (g.attach_tags)) AS joined`;
const OPEN_NOW = `i.ended IS NULL AND NOT EXISTS (SELECT FROM monitor_maintenance covered
  WHERE covered.monitor_key = i.monitor_key AND covered.starts <= $4 AND covered.ends > $4)`;

export const openIncidentStore = {
  /** Locks the verdicts on the monitors of a group, in the order of keys, so that none opens an incident meanwhile. */
  async lockVerdicts(
    workspaceId: string,
    tx: Tx,
    groupId: string,
    monitorKeys: readonly number[] | null,
  ): Promise<void> {
    await tx.query(
      `SELECT FROM monitor_state WHERE monitor_key = ANY (ARRAY(
         SELECT a.monitor_key FROM group_attachment a JOIN action_group g ON g.id = a.group_id
         WHERE g.workspace_id = $1 AND g.id = $2 AND ($3::bigint[] IS NULL OR a.monitor_key = ANY ($3))))
       ORDER BY monitor_key FOR NO KEY UPDATE`,
      [workspaceId, groupId, monitorKeys],
    );
  },

  /** The incidents of the monitors of an enabled group that are open, have not recovered and are not in maintenance. */
  async openIncidents(
    workspaceId: string,
    tx: Tx,
    groupId: string,
    monitorKeys: readonly number[] | null,
    at: Date,
  ): Promise<{ incidentId: string; monitorKey: number }[]> {
    return tx.query(
      `SELECT i.id AS "incidentId", i.monitor_key AS "monitorKey"
       FROM action_group g JOIN group_attachment a ON a.group_id = g.id
         JOIN incident i ON i.workspace_id = g.workspace_id AND i.monitor_key = a.monitor_key AND NOT i.is_closed
       WHERE g.workspace_id = $1 AND g.id = $2 AND g.is_enabled AND ($3::bigint[] IS NULL OR a.monitor_key = ANY ($3))
         AND ${OPEN_NOW}
       ORDER BY i.started, i.id`,
      [workspaceId, groupId, monitorKeys, at],
    );
  },

  /** Locks the verdicts on monitors to which a group is attached by an added tag. @returns whether there is any */
  async lockTagged(workspaceId: string, tx: Tx, tags: readonly AddedTag[]): Promise<boolean> {
    const locked = await tx.query(
      `SELECT FROM monitor_state WHERE monitor_key = ANY (ARRAY(SELECT monitor_key FROM ${JOINED}))
       ORDER BY monitor_key FOR NO KEY UPDATE`,
      [workspaceId, ...valuesOf(tags, 'monitorKey', 'tag')],
    );
    return locked.length > 0;
  },

  /** As `openIncidents`, of monitors to which a group is attached by an added tag. */
  async openOfTagged(
    workspaceId: string,
    tx: Tx,
    tags: readonly AddedTag[],
    at: Date,
  ): Promise<{ groupId: string; incidentId: string; monitorKey: number }[]> {
    return tx.query(
      `SELECT joined.group_id AS "groupId", i.id AS "incidentId", i.monitor_key AS "monitorKey"
       FROM ${JOINED} JOIN incident i ON i.workspace_id = $1 AND i.monitor_key = joined.monitor_key AND NOT i.is_closed
       WHERE ${OPEN_NOW} ORDER BY i.started, i.id, joined.group_id`,
      [workspaceId, ...valuesOf(tags, 'monitorKey', 'tag'), at],
    );
  },
};
