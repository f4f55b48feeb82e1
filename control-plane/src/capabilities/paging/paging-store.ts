import type { Tx } from '../../platform/db/database.js';
import { columnsOf } from '../../platform/db/columns.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import { valuesOf } from '../../platform/db/values-of.js';
import { IncidentPagingEntity } from './paging.entity.js';
import type { ReachableMember } from './reachable-member.js';

/** `began` is moved on by the time in which maintenance windows have covered the monitor since. */
export type PagingRow = Omit<IncidentPagingEntity, 'dueAt' | 'waitedUntil'>;

export interface PagingKey {
  workspaceId: string;
  incidentId: string;
  teamId: string;
}

/** A team that is paged for a monitor, by a service group or by itself. */
export interface TeamOfMonitor {
  teamId: string;
  serviceGroupName: string | null;
}

/** Somebody whose page for an incident was delivered. */
export interface ReachedPerson {
  workspaceId: string;
  incidentId: string;
  userId: string;
  channel: 'email' | 'sms';
  address: string;
}

const COLUMNS = columnsOf(IncidentPagingEntity, { without: ['dueAt', 'waitedUntil'] });

/** Paging waits while the owner is suspended, and while a maintenance window covers the monitor at `$1`. */
const MAY_PAGE = `NOT EXISTS (SELECT FROM suspended_workspace closed WHERE closed.workspace_id = incident_paging.workspace_id)
  AND NOT EXISTS (SELECT FROM monitor_maintenance covered WHERE covered.monitor_key = incident_paging.monitor_key
    AND covered.starts <= $1 AND covered.ends > $1)`;
/** Whether a step of paging is due, as a condition of a due task. */
export const IS_PAGE_DUE = `EXISTS (SELECT FROM incident_paging WHERE due_at <= $1 AND ${MAY_PAGE})`;

/** The progress of paging, by incident and team. */
export const pagingStore = {
  /** Begins the paging of every team that is paged for the monitors, or begins it again. */
  async begin(tx: Tx, incidents: readonly { workspaceId: string; monitorKey: number; incidentId: string }[], at: Date) {
    await tx.query(
      `INSERT INTO incident_paging (workspace_id, incident_id, team_id, monitor_key, began, due_at)
       SELECT paged.workspace_id, opened.incident_id, paged.team_id, paged.monitor_key, $4, $4
       FROM unnest($1::uuid[], $2::bigint[], $3::uuid[]) AS opened (workspace_id, monitor_key, incident_id)
       JOIN paged_team paged ON paged.workspace_id = opened.workspace_id AND paged.monitor_key = opened.monitor_key
       ORDER BY opened.incident_id, paged.team_id
       ON CONFLICT (incident_id, team_id) DO UPDATE SET step = 0, began = excluded.began, due_at = excluded.due_at,
         waited_until = NULL`,
      [...valuesOf(incidents, 'workspaceId', 'monitorKey', 'incidentId'), at],
    );
  },

  /** Stops the paging for incidents. @returns the incidents for which paging ever began */
  async stop(tx: Tx, incidentIds: readonly string[]): Promise<Set<string>> {
    return new Set(
      await tx.column<string>(
        `WITH stopped AS (
         UPDATE incident_paging SET due_at = NULL WHERE incident_id = ANY ($1::uuid[]) AND due_at IS NOT NULL
       )
       SELECT DISTINCT incident_id AS "incidentId" FROM incident_paging WHERE incident_id = ANY ($1::uuid[])`,
        [incidentIds],
      ),
    );
  },

  /** Makes a step due for the teams that are still being paged for incidents. @returns the incidents */
  async hasten(
    workspaceId: string,
    tx: Tx,
    { incidentIds, step }: { incidentIds: readonly string[]; step: number },
    now: Date,
  ): Promise<Set<string>> {
    return new Set(
      await tx.column<string>(
        `WITH paged AS (
           SELECT incident_id, team_id FROM incident_paging
           WHERE workspace_id = $1 AND incident_id = ANY ($2::uuid[]) AND due_at IS NOT NULL
           ORDER BY incident_id, team_id FOR UPDATE
         )
         UPDATE incident_paging own SET step = $3, due_at = least(own.due_at, $4) FROM paged
         WHERE own.incident_id = paged.incident_id AND own.team_id = paged.team_id
         RETURNING own.incident_id AS "incidentId"`,
        [workspaceId, incidentIds, step, now],
      ),
    );
  },

  /** The due steps, the longest due first. */
  async due(tx: Tx, now: Date, limit: number): Promise<PagingKey[]> {
    return tx.query<PagingKey>(
      `SELECT workspace_id AS "workspaceId", incident_id AS "incidentId", team_id AS "teamId" FROM incident_paging
       WHERE due_at <= $1 AND ${MAY_PAGE}
       ORDER BY due_at, incident_id, team_id LIMIT $2`,
      [now, limit],
    );
  },

  /**
   * Locks the steps of a team that are still due, where no other worker has locked them. The incidents are locked first, as
   * in every change of an incident, so several teams are paged one after the other. Steps that nobody wants any more are
   * stopped.
   */
  async lock(
    workspaceId: string,
    tx: Tx,
    { teamId, incidentIds }: { teamId: string; incidentIds: readonly string[] },
    now: Date,
  ): Promise<PagingRow[]> {
    const incidents = await tx.query<{ id: string; isWanted: boolean }>(
      `SELECT id, NOT (summary ->> 'isClosed')::boolean AND NOT (summary ->> 'acknowledged')::boolean
         AND summary ->> 'ended' IS NULL AS "isWanted"
       FROM alert_incident WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      [workspaceId, incidentIds],
    );
    const wanted = new Set(incidents.filter(({ isWanted }) => isWanted).map(({ id }) => id));
    const rows = await tx.query<PagingRow>(
      `SELECT ${COLUMNS}
       FROM incident_paging
       WHERE workspace_id = $1 AND incident_id = ANY ($2::uuid[]) AND team_id = $3 AND due_at <= $4
       ORDER BY due_at, incident_id FOR UPDATE SKIP LOCKED`,
      [workspaceId, incidentIds, teamId, now],
    );
    const over = rows.filter(({ incidentId }) => !wanted.has(incidentId));
    if (over.length > 0)
      await pagingStore.stop(
        tx,
        over.map(({ incidentId }) => incidentId),
      );
    const due = rows.filter(({ incidentId }) => wanted.has(incidentId));
    return due.length === 0 ? [] : pagingStore.postpone(workspaceId, tx, teamId, due, now);
  },

  /**
   * Moves the paging of a team on by the time in which maintenance windows covered the monitors since it was last counted.
   * @returns without the steps that are not due yet for that reason
   */
  async postpone(
    workspaceId: string,
    tx: Tx,
    teamId: string,
    rows: readonly PagingRow[],
    now: Date,
  ): Promise<PagingRow[]> {
    const moved = await keptStatements(tx).query<{ incidentId: string; began: Date; isDue: boolean }>(
      `UPDATE incident_paging paging SET began = began + waited, due_at = due_at + waited, waited_until = $4 FROM (
         SELECT own.incident_id, (
           SELECT sum(upper(part) - lower(part)) FROM (
             SELECT unnest(range_agg(tstzrange(greatest(covered.starts, own.since), least(covered.ends, $4)))) AS part
             FROM monitor_maintenance covered
             WHERE covered.monitor_key = own.monitor_key AND covered.ends > own.since AND covered.starts < $4) AS parts
         ) AS waited
         FROM (SELECT incident_id, monitor_key, coalesce(waited_until, began) AS since FROM incident_paging
           WHERE workspace_id = $1 AND incident_id = ANY ($2::uuid[]) AND team_id = $3) AS own
       ) AS counted
       WHERE paging.workspace_id = $1 AND paging.incident_id = counted.incident_id AND paging.team_id = $3 AND waited IS NOT NULL
       RETURNING paging.incident_id AS "incidentId", began, due_at <= $4 AS "isDue"`,
      [workspaceId, rows.map(({ incidentId }) => incidentId), teamId, now],
    );
    const byIncident = new Map(moved.map((one) => [one.incidentId, one]));
    return rows.flatMap((row) => {
      const one = byIncident.get(row.incidentId);
      return one ? (one.isDue ? [{ ...row, began: one.began }] : []) : [row];
    });
  },

  /** @param steps with the next step of each, null after the last one */
  async advance(
    tx: Tx,
    steps: readonly (PagingKey & { next: { step: number; dueMs: number } | null })[],
  ): Promise<void> {
    await tx.query(
      `UPDATE incident_paging SET step = coalesce(done.step, incident_paging.step), due_at = done.due_at
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[], $5::timestamptz[])
         AS done (workspace_id, incident_id, team_id, step, due_at)
       WHERE incident_paging.workspace_id = done.workspace_id AND incident_paging.incident_id = done.incident_id
         AND incident_paging.team_id = done.team_id`,
      [
        ...valuesOf(steps, 'workspaceId', 'incidentId', 'teamId'),
        steps.map(({ next }) => next?.step ?? null),
        steps.map(({ next }) => next && new Date(next.dueMs)),
      ],
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

  /** Who has been paged for incidents, each since a time, by any team, or whose page is queued. */
  async pagedSince(
    workspaceId: string,
    tx: Tx,
    incidents: readonly { incidentId: string; since: Date }[],
  ): Promise<{ incidentId: string; userId: string }[]> {
    return keptStatements(tx).query(
      `SELECT DISTINCT e.incident_id AS "incidentId", split_part(d.purpose, ':', 3) AS "userId"
       FROM unnest($2::uuid[], $3::timestamptz[]) AS paged (incident_id, since)
       JOIN alert_event e ON e.incident_id = paged.incident_id AND e.at >= paged.since
       JOIN delivery d ON d.event_id = e.id
       WHERE e.workspace_id = $1 AND d.purpose LIKE 'page:%' AND d.state IN ('waiting', 'delivered')`,
      [workspaceId, ...valuesOf(incidents, 'incidentId', 'since')],
    );
  },

  /**
   * The people whose pages for incidents were delivered, with the addresses: at most 200 of an incident. Why `OFFSET 0`: see
   * `fanOutStore.destinations`.
   */
  async reached(tx: Tx, incidents: readonly Pick<PagingKey, 'workspaceId' | 'incidentId'>[]): Promise<ReachedPerson[]> {
    return keptStatements(tx).query(
      `SELECT ended.workspace_id AS "workspaceId", ended.incident_id AS "incidentId", reached.*
       FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS ended (workspace_id, incident_id, place)
       CROSS JOIN LATERAL (
         SELECT DISTINCT split_part(d.purpose, ':', 3) AS "userId", d.channel, d.address
         FROM (SELECT id, workspace_id FROM alert_event WHERE alert_event.incident_id = ended.incident_id OFFSET 0) AS e
         CROSS JOIN LATERAL (
           SELECT purpose, channel, address, state FROM delivery WHERE delivery.event_id = e.id OFFSET 0
         ) AS d
         WHERE e.workspace_id = ended.workspace_id AND d.purpose LIKE 'page:%' AND d.state = 'delivered'
         ORDER BY 1, 2, 3 LIMIT 200
       ) AS reached
       ORDER BY ended.place, "userId", channel, address`,
      valuesOf(incidents, 'workspaceId', 'incidentId'),
    );
  },

  /** The teams that are paged for a monitor. */
  async teamsOf(workspaceId: string, tx: Tx, monitorKey: number): Promise<TeamOfMonitor[]> {
    return tx.query(
      `SELECT team_id AS "teamId", service_group_name AS "serviceGroupName" FROM paged_team
       WHERE workspace_id = $1 AND monitor_key = $2 ORDER BY team_id LIMIT 100`,
      [workspaceId, monitorKey],
    );
  },

  /** The same of a monitor that would join the service group. */
  async teamsOfGroup(workspaceId: string, tx: Tx, serviceGroupId: string): Promise<TeamOfMonitor[]> {
    return tx.query(
      `SELECT team_id AS "teamId", name AS "serviceGroupName" FROM routed_service_group
       WHERE workspace_id = $1 AND service_group_id = $2 ORDER BY team_id LIMIT 100`,
      [workspaceId, serviceGroupId],
    );
  },
};
