import type { Tx } from '../../../platform/db/database.js';
import type { ReachableMember } from './reachable-member.js';

export interface PagingRow {
  workspaceId: string;
  incidentId: string;
  teamId: string;
  monitorKey: number;
  step: number;
  began: Date;
}

export interface PagingKey {
  workspaceId: string;
  incidentId: string;
  teamId: string;
}

/** The progress of paging, by incident and team. */
export const pagingStore = {
  /** Begins the paging of every team that the service groups of the monitors are routed to, or begins it again. */
  async begin(tx: Tx, incidents: readonly { workspaceId: string; monitorKey: number; incidentId: string }[], at: Date) {
    await tx.query(
      `INSERT INTO incident_paging (workspace_id, incident_id, team_id, monitor_key, began, due_at)
       SELECT paged.workspace_id, opened.incident_id, paged.team_id, paged.monitor_key, $4, $4
       FROM unnest($1::uuid[], $2::bigint[], $3::uuid[]) AS opened (workspace_id, monitor_key, incident_id)
       JOIN paged_team paged ON paged.workspace_id = opened.workspace_id AND paged.monitor_key = opened.monitor_key
       ORDER BY opened.incident_id, paged.team_id
       ON CONFLICT (incident_id, team_id) DO UPDATE SET step = 0, began = excluded.began, due_at = excluded.due_at`,
      [
        incidents.map(({ workspaceId }) => workspaceId),
        incidents.map(({ monitorKey }) => monitorKey),
        incidents.map(({ incidentId }) => incidentId),
        at,
      ],
    );
  },

  /** Stops the paging for incidents. @returns the incidents for which paging ever began */
  async stop(tx: Tx, incidentIds: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ incidentId: string }>(
      `WITH stopped AS (
         UPDATE incident_paging SET due_at = NULL WHERE incident_id = ANY ($1::uuid[]) AND due_at IS NOT NULL
       )
       SELECT DISTINCT incident_id AS "incidentId" FROM incident_paging WHERE incident_id = ANY ($1::uuid[])`,
      [incidentIds],
    );
    return new Set(rows.map(({ incidentId }) => incidentId));
  },

  /** The due steps, the longest due first. */
  async due(tx: Tx, now: Date, limit: number): Promise<PagingKey[]> {
    return tx.query<PagingKey>(
      `SELECT workspace_id AS "workspaceId", incident_id AS "incidentId", team_id AS "teamId" FROM incident_paging
       WHERE due_at <= $1
         AND NOT EXISTS (SELECT FROM suspended_workspace closed WHERE closed.workspace_id = incident_paging.workspace_id)
       ORDER BY due_at, incident_id, team_id LIMIT $2`,
      [now, limit],
    );
  },

  /**
   * Locks a step that is still due, if no other worker has locked it. The incident is locked first, as in every change of
   * an incident, so several teams are paged one after the other.
   * @returns undefined where nothing is left to do
   */
  async lock({ workspaceId, incidentId, teamId }: PagingKey, tx: Tx, now: Date): Promise<PagingRow | undefined> {
    const [incident] = await tx.query<{ isWanted: boolean }>(
      `SELECT NOT (summary ->> 'isClosed')::boolean AND NOT (summary ->> 'acknowledged')::boolean AND summary ->> 'ended' IS NULL
         AS "isWanted"
       FROM alert_incident WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`,
      [workspaceId, incidentId],
    );
    const [row] = await tx.query<PagingRow>(
      `SELECT workspace_id AS "workspaceId", incident_id AS "incidentId", team_id AS "teamId", monitor_key AS "monitorKey",
         step, began
       FROM incident_paging WHERE workspace_id = $1 AND incident_id = $2 AND team_id = $3 AND due_at <= $4
       FOR UPDATE SKIP LOCKED`,
      [workspaceId, incidentId, teamId, now],
    );
    if (row && !incident?.isWanted) {
      await pagingStore.stop(tx, [incidentId]);
      return undefined;
    }
    return row;
  },

  /** @param next null after the last step */
  async advance(
    { workspaceId, incidentId, teamId }: PagingKey,
    tx: Tx,
    next: { step: number; due: Date } | null,
  ): Promise<void> {
    await tx.query(
      `UPDATE incident_paging SET step = coalesce($4, step), due_at = $5
       WHERE workspace_id = $1 AND incident_id = $2 AND team_id = $3`,
      [workspaceId, incidentId, teamId, next?.step ?? null, next?.due ?? null],
    );
  },

  /** Those of the users who are active members of the workspace, in the order of their ids. */
  async members(workspaceId: string, tx: Tx, userIds: readonly string[]): Promise<ReachableMember[]> {
    return tx.query<ReachableMember>(
      `SELECT user_id AS "userId", name, email, role, preferences FROM reachable_member
       WHERE workspace_id = $1 AND user_id = ANY ($2::uuid[]) ORDER BY user_id`,
      [workspaceId, userIds],
    );
  },

  /** The people who have been paged for an incident since a time, by any team, or whose page is queued. */
  async pagedSince(workspaceId: string, tx: Tx, incidentId: string, since: Date): Promise<string[]> {
    const rows = await tx.query<{ userId: string }>(
      `SELECT DISTINCT split_part(d.purpose, ':', 3) AS "userId"
       FROM alert_event e JOIN delivery d ON d.event_id = e.id
       WHERE e.workspace_id = $1 AND e.incident_id = $2 AND e.at >= $3 AND d.purpose LIKE 'page:%'
         AND d.state IN ('waiting', 'delivered')`,
      [workspaceId, incidentId, since],
    );
    return rows.map(({ userId }) => userId);
  },

  /** The people whose pages for an incident were delivered, with the addresses. */
  async reached(
    workspaceId: string,
    tx: Tx,
    incidentId: string,
  ): Promise<{ userId: string; channel: 'email' | 'sms'; address: string }[]> {
    return tx.query(
      `SELECT DISTINCT split_part(d.purpose, ':', 3) AS "userId", d.channel, d.address
       FROM alert_event e JOIN delivery d ON d.event_id = e.id
       WHERE e.workspace_id = $1 AND e.incident_id = $2 AND d.purpose LIKE 'page:%' AND d.state = 'delivered'
       ORDER BY 1, 2, 3 LIMIT 200`,
      [workspaceId, incidentId],
    );
  },

  /** The teams that are paged for a monitor. */
  async teamsOf(
    workspaceId: string,
    tx: Tx,
    monitorKey: number,
  ): Promise<{ teamId: string; serviceGroupName: string }[]> {
    return tx.query(
      `SELECT team_id AS "teamId", service_group_name AS "serviceGroupName" FROM paged_team
       WHERE workspace_id = $1 AND monitor_key = $2 ORDER BY team_id LIMIT 100`,
      [workspaceId, monitorKey],
    );
  },
};
