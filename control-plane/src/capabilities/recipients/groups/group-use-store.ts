import type { ListPage, Rows, Tx } from '../../../platform/db/database.js';
import type { MonitorSummary, SampleSubject } from '../../channels/index.js';

/** The uses of action groups: the monitors that they are attached to, and the defaults of a workspace. */
export const groupUseStore = {
  async monitorKey(workspaceId: string, tx: Tx, monitorId: string): Promise<number | undefined> {
    return tx.value('SELECT key FROM monitor WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL', [
      workspaceId,
      monitorId,
    ]);
  },

  /** The same, and locks the monitor against deletion until the transaction ends. */
  async lockMonitor(workspaceId: string, tx: Tx, monitorId: string): Promise<number | undefined> {
    return tx.value('SELECT key FROM monitor WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE', [
      workspaceId,
      monitorId,
    ]);
  },

  /**
   * Reads how a group is attached to those of these monitors that are not deleted, in the order of their keys.
   * @param locks whether the monitors are locked against deletion until the transaction ends
   */
  async attachments(
    workspaceId: string,
    tx: Tx,
    groupId: string,
    monitorIds: readonly string[],
    locks: boolean,
  ): Promise<{ id: string; key: number; isSingle: boolean; isByRule: boolean }[]> {
    return tx.query(
      `SELECT m.id, m.key, g.attach_all OR g.attach_tags && m.tags AS "isByRule",
         EXISTS (SELECT FROM action_group_monitor a WHERE a.group_id = g.id AND a.monitor_key = m.key) AS "isSingle"
       FROM monitor m JOIN action_group g ON g.workspace_id = $1 AND g.id = $2
       WHERE m.workspace_id = $1 AND m.id = ANY ($3::uuid[]) AND m.deleted_at IS NULL
       ORDER BY m.key ${locks ? 'FOR SHARE OF m' : ''}`,
      [workspaceId, groupId, monitorIds],
    );
  },

  /** The monitors of a group by name, without those that are deleted. */
  async monitors(
    workspaceId: string,
    tx: Tx,
    groupId: string,
    page: Rows,
  ): Promise<ListPage<{ monitorId: string; name: string }>> {
    const list = {
      columns: 'm.id AS "monitorId", m.name',
      from: 'group_attachment a JOIN monitor m ON m.key = a.monitor_key',
      where: 'm.workspace_id = $1 AND a.group_id = $2 AND m.deleted_at IS NULL',
      orderBy: 'lower(m.name), m.id',
    };
    return tx.page(list, [workspaceId, groupId], page);
  },

  async latestIncident(workspaceId: string, tx: Tx): Promise<Pick<SampleSubject, 'monitor' | 'incident'> | undefined> {
    return tx.one(
      `SELECT monitor.summary AS monitor, incident.summary AS incident
       FROM (SELECT id, monitor_key FROM incident WHERE workspace_id = $1 ORDER BY started DESC, id DESC LIMIT 1) AS latest
       JOIN alert_incident incident ON incident.workspace_id = $1 AND incident.id = latest.id
       JOIN alert_monitor monitor ON monitor.workspace_id = $1 AND monitor.key = latest.monitor_key`,
      [workspaceId],
    );
  },

  /** A monitor for sample messages: this one, or else the first that the group is attached to, by name. */
  async sampleSubject(
    workspaceId: string,
    tx: Tx,
    groupId: string | null,
    monitorId: string | undefined,
  ): Promise<{ workspaceName: string; monitor: MonitorSummary | null }> {
    const [row] = await tx.query<{ workspaceName: string; monitor: MonitorSummary | null }>(
      `SELECT w.name AS "workspaceName", (
         SELECT jsonb_build_object('id', m.id, 'name', m.name, 'url', m.url, 'monitorTypes', m.monitor_types) FROM monitor m
         WHERE m.workspace_id = w.id AND m.deleted_at IS NULL AND CASE WHEN $3::uuid IS NULL
           THEN EXISTS (SELECT FROM group_attachment a WHERE a.group_id = $2 AND a.monitor_key = m.key)
           ELSE m.id = $3 END
         ORDER BY lower(m.name), m.id LIMIT 1) AS monitor
       FROM workspace w WHERE w.id = $1`,
      [workspaceId, groupId, monitorId ?? null],
    );
    return row!;
  },

  /** The groups that are attached to monitors one by one, by monitor, oldest first. */
  async ofMonitors(workspaceId: string, tx: Tx): Promise<{ monitorId: string; groupIds: string[] }[]> {
    return tx.query(
      `SELECT m.id AS "monitorId", array_agg(g.id ORDER BY g.created, g.id) AS "groupIds"
       FROM action_group g JOIN action_group_monitor a ON a.group_id = g.id JOIN monitor m ON m.key = a.monitor_key
       WHERE g.workspace_id = $1 AND m.deleted_at IS NULL GROUP BY m.id`,
      [workspaceId],
    );
  },

  async attach(workspaceId: string, tx: Tx, groupId: string, monitorKeys: readonly number[], at: Date): Promise<void> {
    await tx.execute(
      `INSERT INTO action_group_monitor (group_id, monitor_key, attached)
       SELECT g.id, m.key, $4 FROM action_group g, monitor m
       WHERE g.workspace_id = $1 AND g.id = $2 AND m.workspace_id = $1 AND m.key = ANY ($3)
       ON CONFLICT DO NOTHING`,
      [workspaceId, groupId, monitorKeys, at],
    );
  },

  async attachDefaults(workspaceId: string, tx: Tx, monitorKeys: readonly number[], at: Date): Promise<void> {
    await tx.query(
      `INSERT INTO action_group_monitor (group_id, monitor_key, attached)
       SELECT g.id, key, $3 FROM workspace w JOIN action_group g ON g.workspace_id = w.id
         CROSS JOIN unnest($2::bigint[]) AS key
       WHERE w.id = $1 AND g.id = ANY (w.default_action_group_ids)
       ON CONFLICT DO NOTHING`,
      [workspaceId, monitorKeys, at],
    );
  },

  /** @returns whether it was attached to any */
  async detach(workspaceId: string, tx: Tx, groupId: string, monitorKeys: readonly number[]): Promise<boolean> {
    const detached = await tx.execute(
      `DELETE FROM action_group_monitor a USING action_group g
       WHERE g.workspace_id = $1 AND g.id = a.group_id AND a.group_id = $2 AND a.monitor_key = ANY ($3)`,
      [workspaceId, groupId, monitorKeys],
    );
    return detached > 0;
  },

  async isAttached(workspaceId: string, tx: Tx, groupId: string, monitorKey: number): Promise<boolean> {
    return tx.some(
      `SELECT FROM group_attachment a JOIN action_group g ON g.id = a.group_id
       WHERE g.workspace_id = $1 AND a.group_id = $2 AND a.monitor_key = $3`,
      [workspaceId, groupId, monitorKey],
    );
  },

  /** Detaches all groups from deleted monitors, except from those that can be restored. */
  async detachPurged(workspaceId: string, tx: Tx, monitorKeys: readonly number[]): Promise<void> {
    await tx.query(
      `DELETE FROM action_group_monitor a USING monitor m
       WHERE m.workspace_id = $1 AND m.key = ANY ($2) AND m.key = a.monitor_key
         AND m.deleted_at IS NOT NULL AND m.buried_with IS NULL`,
      [workspaceId, monitorKeys],
    );
  },

  /** Reports whether tags, a monitor that exists or can be restored, the defaults of the workspace or a private location use a group. */
  async isUsed(workspaceId: string, tx: Tx, groupId: string): Promise<boolean> {
    return tx.some(
      `SELECT FROM workspace w WHERE w.id = $1
         AND ($2 = ANY (w.default_action_group_ids) OR EXISTS (
           SELECT FROM action_group WHERE id = $2 AND (attach_all OR attach_tags <> '{}')) OR EXISTS (
           SELECT FROM private_location WHERE workspace_id = $1 AND $2 = ANY (notify_action_group_ids)) OR EXISTS (
           SELECT FROM action_group_monitor a JOIN monitor m ON m.key = a.monitor_key
           WHERE a.group_id = $2 AND (m.deleted_at IS NULL OR m.buried_with IS NOT NULL)))`,
      [workspaceId, groupId],
    );
  },

  /** Locks the workspace, whose defaults may contain a group, until the transaction ends. Lock it before any group. */
  async lockDefaults(workspaceId: string, tx: Tx): Promise<void> {
    await tx.query('SELECT FROM workspace WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  },

  /** Adds a group to those that new monitors of the workspace are given. */
  async addToDefaults(workspaceId: string, tx: Tx, groupId: string): Promise<void> {
    await tx.query(
      'UPDATE workspace SET default_action_group_ids = array_append(default_action_group_ids, $2::uuid) WHERE id = $1',
      [workspaceId, groupId],
    );
  },

  /** Takes a group that is deleted out of the defaults of the workspace, and out of its private locations. */
  async removeFromDefaults(workspaceId: string, tx: Tx, groupId: string, at: Date): Promise<void> {
    await tx.query(
      `UPDATE workspace SET default_action_group_ids = array_remove(default_action_group_ids, $2::uuid),
         last_modified = greatest($3, last_modified + interval '1 ms')
       WHERE id = $1 AND $2::uuid = ANY (default_action_group_ids)`,
      [workspaceId, groupId, at],
    );
    await tx.query(
      `UPDATE private_location SET notify_action_group_ids = array_remove(notify_action_group_ids, $2::uuid),
         last_modified = greatest($3, last_modified + interval '1 ms')
       WHERE workspace_id = $1 AND $2::uuid = ANY (notify_action_group_ids)`,
      [workspaceId, groupId, at],
    );
  },

  /** Returns those of the ids that are groups of the workspace, locked against deletion until the transaction ends. */
  async lockExisting(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<string[]> {
    return tx.column(
      'SELECT id FROM action_group WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE',
      [workspaceId, ids],
    );
  },
};
