import type { Tx } from '../../platform/db/database.js';
import { columnsOf } from '../../platform/db/columns.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import { isAnyDue } from '../../platform/jobs/due-store.js';
import type { Contact } from '../delivery/index.js';
import { valuesOf } from '../../platform/db/values-of.js';
import type { Severity } from '@watchpost/shared/incident-types';
import type { Awaited, EscalationPosition } from './decide-escalation.js';
import { dueInTurns } from './due-in-turns.js';
import { IncidentPagingEntity } from './paging.entity.js';
import { PLAN_NAMES, PLANS } from '../plans/index.js';
import type { ContactMethodType } from '../workspaces/index.js';
import type { ReachableMember } from './reachable-member.js';

/** `began` and `dueAt` are moved on by the time in which maintenance windows have covered the monitor since. */
export type PagingRow = Omit<IncidentPagingEntity, 'dueAt' | 'waitedUntil' | 'ackExpiresAt'> &
  WantedIncident & {
    dueAt: Date;
    /** True if the team is still paged for the monitor. */
    isRouted: boolean;
    /** True if a maintenance window covers the monitor: the step waits. */
    isCovered: boolean;
  };

/** The facts that decide how people are paged for an incident. */
export interface WantedIncident {
  /** The worst so far, so that a policy is left only for that of a worse one. */
  severity: Severity;
  isAcknowledged: boolean;
}

/** The state that follows a step. */
export interface PagingProgress extends PagingKey, Awaited {
  policyId: string | null;
  /** undefined after the last one. */
  next: (EscalationPosition & { dueMs: number }) | undefined;
}

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
export interface ReachedPerson extends Pick<Contact, 'channel' | 'address'> {
  workspaceId: string;
  incidentId: string;
  userId: string;
  key: string;
}

/** A confirmed contact method of an active member. */
export interface ContactMethodRow {
  id: string;
  userId: string;
  type: ContactMethodType;
  address: string;
  /** The group that lends what the service needs beside the address. */
  lenderId: string | null;
}

const COLUMNS = columnsOf(IncidentPagingEntity, { without: ['waitedUntil', 'ackExpiresAt'] });
/** The rows of incidents, at $1, as one that has not begun. */
const RESET = 'policy_id = NULL, awaited = NULL, awaited_count = 0, ack_expires_at = NULL';
/** True if the plan of a workspace has policies, as SQL. */
const HAS_POLICIES = `EXISTS (SELECT FROM workspace_plan WHERE workspace_plan.workspace_id = own.workspace_id
  AND plan IN (${PLAN_NAMES.filter((name) => PLANS[name].features.rotations)
    .map((name) => `'${name}'`)
    .join(', ')}))`;
/** True if the team of a row is paged for its monitor, as SQL. */
const IS_ROUTED = `EXISTS (SELECT FROM paged_team routed WHERE routed.workspace_id = own.workspace_id
  AND routed.monitor_key = own.monitor_key AND routed.team_id = own.team_id)`;
/** The policy that counts for the row `own` of an incident of the severity `worst`. */
const COUNTING = `(SELECT policy FROM escalation_policy policy
  WHERE policy.team_id = own.team_id AND worst = ANY (policy.severities) AND ${HAS_POLICIES} ORDER BY seq LIMIT 1)`;

/** True if a maintenance window covers the monitor of a row at a time, as SQL. */
const isCovered = (row: string, now: string, condition = 'true') =>
  `EXISTS (SELECT FROM monitor_maintenance covered WHERE covered.monitor_key = ${row}.monitor_key
    AND covered.starts <= ${now} AND covered.ends > ${now} AND ${condition})`;
/**
 * The time in maintenance of the monitor of the row `own` that is not counted yet, as SQL; null where there was none.
 * @param until of windows that began up to `now`
 */
export const uncounted = (now: string, until: string) => `(
  SELECT sum(upper(part) - lower(part)) FROM (
    SELECT unnest(range_agg(tstzrange(greatest(covered.starts, coalesce(own.waited_until, own.began)), ${until}))) AS part
    FROM monitor_maintenance covered WHERE covered.monitor_key = own.monitor_key
      AND covered.ends > coalesce(own.waited_until, own.began) AND covered.starts <= ${now}) AS parts)`;

/** Paging waits while the owner is suspended, and while a maintenance window covers the monitor at `$1`. */
export const mayPage = (table: 'incident_paging' | 'page_reminder', isKnownToWait?: string) =>
  `NOT EXISTS (SELECT FROM suspended_workspace closed WHERE closed.workspace_id = ${table}.workspace_id)
  AND NOT ${isCovered(table, '$1', isKnownToWait)}`;
/** A step that is due within a window is taken once, to state that it waits. */
const MAY_PAGE = mayPage('incident_paging', 'incident_paging.waited_until >= covered.starts');
/** True if acknowledgements end, as a condition of a due task. */
export const IS_ACK_EXPIRED = isAnyDue('incident_paging', 'ack_expires_at');
/** Whether a step of paging is due, as a condition of a due task. */
export const IS_PAGE_DUE = isAnyDue('incident_paging', 'due_at', MAY_PAGE);

/** The progress of paging, by incident and team. */
export const pagingStore = {
  /**
   * Begins the paging of every team that is paged for the monitors, or begins it again.
   * @param which `idle`: only of teams that have not begun, or were left because the monitor did not page them any more
   */
  async begin(
    tx: Tx,
    incidents: readonly { workspaceId: string; monitorKey: number; incidentId: string }[],
    at: Date,
    which: 'all' | 'idle' = 'all',
  ): Promise<void> {
    await tx.query(
      `INSERT INTO incident_paging (workspace_id, incident_id, team_id, monitor_key, began, due_at)
       SELECT paged.workspace_id, opened.incident_id, paged.team_id, paged.monitor_key, $4, $4
       FROM unnest($1::uuid[], $2::bigint[], $3::uuid[]) AS opened (workspace_id, monitor_key, incident_id)
       JOIN paged_team paged ON paged.workspace_id = opened.workspace_id AND paged.monitor_key = opened.monitor_key
       ORDER BY opened.incident_id, paged.team_id
       ON CONFLICT (incident_id, team_id) DO UPDATE SET step = 0, round = 0, began = excluded.began, due_at = excluded.due_at,
         waited_until = NULL, ${RESET} ${which === 'idle' ? 'WHERE incident_paging.due_at IS NULL AND incident_paging.policy_id IS NULL' : ''}`,
      [...valuesOf(incidents, 'workspaceId', 'monitorKey', 'incidentId'), at],
    );
  },

  /** Stops the paging for incidents, later messages included. @returns the incidents for which paging ever began */
  async stop(tx: Tx, incidentIds: readonly string[]): Promise<Set<string>> {
    return new Set(
      await tx.column<string>(
        `WITH stopped AS (
         UPDATE incident_paging SET due_at = NULL, ${RESET} WHERE incident_id = ANY ($1::uuid[])
           AND (due_at IS NOT NULL OR awaited IS NOT NULL OR ack_expires_at IS NOT NULL)
       ), silenced AS (
         DELETE FROM page_reminder WHERE incident_id = ANY ($1::uuid[])
       )
       SELECT DISTINCT incident_id AS "incidentId" FROM incident_paging WHERE incident_id = ANY ($1::uuid[])`,
        [incidentIds],
      ),
    );
  },

  /** Locks the paging that goes on for incidents. */
  async lockGoingOn(
    workspaceId: string,
    tx: Tx,
    incidentIds: readonly string[],
  ): Promise<(PagingKey & EscalationPosition & Pick<PagingRow, 'policyId' | 'severity'> & { dueAt: Date })[]> {
    return tx.query(
      `SELECT own.workspace_id AS "workspaceId", incident_id AS "incidentId", team_id AS "teamId", step, round,
         policy_id AS "policyId", due_at AS "dueAt", incident.summary ->> 'worstSeverity' AS severity
       FROM incident_paging own JOIN alert_incident incident
         ON incident.workspace_id = own.workspace_id AND incident.id = own.incident_id
       WHERE own.workspace_id = $1 AND incident_id = ANY ($2::uuid[]) AND due_at IS NOT NULL
       ORDER BY incident_id, team_id FOR UPDATE OF own`,
      [workspaceId, incidentIds],
    );
  },

  /** Makes these steps the next ones, due now. */
  async hasten(
    tx: Tx,
    steps: readonly (PagingKey & EscalationPosition & { policyId: string })[],
    now: Date,
  ): Promise<void> {
    await tx.query(
      `UPDATE incident_paging own SET step = taken.step, round = taken.round, policy_id = taken.policy_id,
         due_at = least(own.due_at, $7)
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[], $6::uuid[])
         AS taken (workspace_id, incident_id, team_id, step, round, policy_id)
       WHERE own.workspace_id = taken.workspace_id AND own.incident_id = taken.incident_id AND own.team_id = taken.team_id`,
      [...valuesOf(steps, 'workspaceId', 'incidentId', 'teamId', 'step', 'round', 'policyId'), now],
    );
  },

  /** Reads of some incidents, in the order of their keys, those of which paging began, with who has to acknowledge. Locks them. */
  async lockAwaited(tx: Tx, incidentIds: readonly string[]): Promise<(PagingKey & Awaited)[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", incident_id AS "incidentId", team_id AS "teamId", awaited,
         awaited_count AS "awaitedCount"
       FROM incident_paging WHERE incident_id = ANY ($1::uuid[]) ORDER BY incident_id, team_id FOR UPDATE`,
      [incidentIds],
    );
  },

  /**
   * Notes that somebody acknowledged at a time: paging stops, unless others have to. Later messages to those who need not
   * acknowledge any more are removed.
   */
  async acknowledge(
    tx: Tx,
    rows: readonly (PagingKey & { left: Awaited | undefined; userId: string | null })[],
    at: Date,
  ): Promise<void> {
    await tx.query(
      `WITH acknowledged AS (
         SELECT done.*, incident.worst FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::jsonb[], $5::smallint[])
           AS done (workspace_id, incident_id, team_id, awaited, awaited_count)
         JOIN LATERAL (SELECT coalesce(worst_severity, severity) AS worst FROM incident
           WHERE workspace_id = done.workspace_id AND id = done.incident_id) AS incident ON true
       ), silenced AS (
         DELETE FROM page_reminder later USING acknowledged
         WHERE later.incident_id = acknowledged.incident_id AND later.team_id = acknowledged.team_id
           AND NOT coalesce(acknowledged.awaited ? later.user_id::text, false)
       )
       UPDATE incident_paging own SET due_at = CASE WHEN done.awaited IS NOT NULL THEN own.due_at END,
         awaited = (SELECT array_agg(id::uuid) FROM jsonb_array_elements_text(done.awaited) AS id),
         awaited_count = done.awaited_count,
         ack_expires_at = $6::timestamptz + (${COUNTING}).ack_timeout::interval
       FROM acknowledged done
       WHERE own.workspace_id = done.workspace_id AND own.incident_id = done.incident_id AND own.team_id = done.team_id`,
      [
        ...valuesOf(rows, 'workspaceId', 'incidentId', 'teamId'),
        rows.map(({ left }) => (left ? JSON.stringify(left.awaited) : null)),
        rows.map(({ left }) => left?.awaitedCount ?? 0),
        at,
      ],
    );
  },

  /** Makes a step due where another policy counts for the severity that incidents have now. */
  async changeSeverity(tx: Tx, incidentIds: readonly string[], now: Date): Promise<void> {
    await tx.query(
      `UPDATE incident_paging own SET due_at = $2
       FROM (SELECT id, acknowledged, coalesce(worst_severity, severity) AS worst FROM incident WHERE id = ANY ($1::uuid[])) AS now
       WHERE own.incident_id = now.id AND NOT now.acknowledged
         AND own.policy_id <> coalesce((${COUNTING}).id, own.team_id)`,
      [incidentIds, now],
    );
  },

  /** Makes a step due, which then ends the paging, where monitors do not page a team any more whose page nobody has acknowledged. */
  async endUnrouted(workspaceId: string, tx: Tx, monitorKeys: readonly number[], now: Date): Promise<void> {
    await tx.query(
      `UPDATE incident_paging paging SET due_at = $3 FROM (
         SELECT own.incident_id, own.team_id FROM incident JOIN incident_paging own ON own.incident_id = incident.id
         WHERE incident.workspace_id = $1 AND incident.monitor_key = ANY ($2::bigint[]) AND NOT incident.is_closed
           AND incident.ended IS NULL AND NOT incident.acknowledged AND NOT ${IS_ROUTED}
           AND (own.due_at IS NOT NULL OR own.policy_id IS NOT NULL)
         ORDER BY own.incident_id, own.team_id FOR UPDATE OF own SKIP LOCKED
       ) AS left_over
       WHERE paging.incident_id = left_over.incident_id AND paging.team_id = left_over.team_id`,
      [workspaceId, monitorKeys, now],
    );
  },

  /** Open incidents of monitors that nobody has acknowledged. */
  async unacknowledged(
    workspaceId: string,
    tx: Tx,
    monitorKeys: readonly number[],
  ): Promise<{ workspaceId: string; monitorKey: number; incidentId: string }[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", monitor_key AS "monitorKey", id AS "incidentId" FROM incident
       WHERE workspace_id = $1 AND monitor_key = ANY ($2::bigint[]) AND NOT is_closed AND ended IS NULL AND NOT acknowledged`,
      [workspaceId, monitorKeys],
    );
  },

  async monitorsOfGroup(workspaceId: string, tx: Tx, serviceGroupId: string): Promise<number[]> {
    return tx.column('SELECT key FROM monitor WHERE workspace_id = $1 AND service_group_id = $2 ORDER BY key', [
      workspaceId,
      serviceGroupId,
    ]);
  },

  /** The incidents for which a team is going to page somebody. */
  async pagedBy(workspaceId: string, tx: Tx, teamId: string): Promise<string[]> {
    return tx.column(
      `SELECT incident_id FROM incident_paging WHERE workspace_id = $1 AND team_id = $2 AND due_at IS NOT NULL
       UNION SELECT incident_id FROM page_reminder WHERE workspace_id = $1 AND team_id = $2`,
      [workspaceId, teamId],
    );
  },

  /** Incidents of which an acknowledgement ends, of each owner in turn. */
  async expired(
    tx: Tx,
    now: Date,
    limit: number,
    except: readonly { incidentId: string }[],
  ): Promise<{ workspaceId: string; incidentId: string }[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", incident_id AS "incidentId"
       FROM ${dueInTurns('incident_paging', 'ack_expires_at', 'incident_id <> ALL ($3::uuid[])')}
       GROUP BY workspace_id, incident_id ORDER BY min(turn), incident_id`,
      [now, limit, ...valuesOf(except, 'incidentId')],
    );
  },

  /** True if a team waits for the acknowledgement of a person although somebody has acknowledged. */
  async isAwaited(workspaceId: string, tx: Tx, incidentId: string, userId: string): Promise<boolean> {
    return tx.some(
      'SELECT 1 FROM incident_paging WHERE workspace_id = $1 AND incident_id = $2 AND $3 = ANY (awaited)',
      [workspaceId, incidentId, userId],
    );
  },

  /** Acknowledgements of these incidents do not end by themselves. */
  async keepAcknowledged(tx: Tx, incidentIds: readonly string[]): Promise<void> {
    await tx.query(
      'UPDATE incident_paging SET ack_expires_at = NULL WHERE incident_id = ANY ($1::uuid[]) AND ack_expires_at IS NOT NULL',
      [incidentIds],
    );
  },

  /**
   * The settings in force at the acknowledgement count, also under a plan that has no policies any more.
   * @returns whether this call is the first since it ended
   */
  async takeExpired(workspaceId: string, tx: Tx, incidentId: string, now: Date): Promise<boolean> {
    const taken = await tx.column<string>(
      `UPDATE incident_paging SET ack_expires_at = NULL
       WHERE workspace_id = $1 AND incident_id = $2 AND ack_expires_at <= $3 RETURNING team_id`,
      [workspaceId, incidentId, now],
    );
    return taken.length > 0;
  },

  /** The due steps, of each owner in turn. */
  async due(
    tx: Tx,
    now: Date,
    limit: number,
    except: readonly Pick<PagingKey, 'incidentId' | 'teamId'>[] = [],
  ): Promise<PagingKey[]> {
    return tx.query<PagingKey>(
      `SELECT workspace_id AS "workspaceId", incident_id AS "incidentId", team_id AS "teamId"
       FROM ${dueInTurns(
         'incident_paging',
         'due_at',
         `${MAY_PAGE} AND (incident_id, team_id) NOT IN (SELECT * FROM unnest($3::uuid[], $4::uuid[]))`,
       )} ORDER BY turn, due_at, incident_id, team_id`,
      [now, limit, ...valuesOf(except, 'incidentId', 'teamId')],
    );
  },

  /** Locks incidents. @returns those for which people are to be paged: also acknowledged ones, where others have to */
  async lockWanted(
    workspaceId: string,
    tx: Tx,
    incidentIds: readonly string[],
  ): Promise<ReadonlyMap<string, WantedIncident>> {
    const incidents = await tx.query<WantedIncident & { id: string; isOver: boolean; isAwaited: boolean }>(
      `SELECT id, (summary ->> 'isClosed')::boolean OR summary ->> 'ended' IS NOT NULL AS "isOver",
         summary ->> 'worstSeverity' AS severity, (summary ->> 'acknowledged')::boolean AS "isAcknowledged",
         EXISTS (SELECT FROM incident_paging WHERE incident_id = alert_incident.id AND awaited IS NOT NULL) AS "isAwaited"
       FROM alert_incident WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      [workspaceId, incidentIds],
    );
    return new Map(
      incidents.flatMap(({ id, isOver, isAwaited, ...one }) =>
        isOver || (one.isAcknowledged && !isAwaited) ? [] : [[id, one]],
      ),
    );
  },

  /**
   * Locks the steps of a team that are still due, where no other worker has locked them. The incidents are locked first, as
   * in every change of an incident, so several teams are paged one after the other. Steps that nobody wants any more are
   * stopped, and those that maintenance delays are moved on.
   * @returns the others, and how many were locked
   */
  async lock(
    workspaceId: string,
    tx: Tx,
    { teamId, incidentIds }: { teamId: string; incidentIds: readonly string[] },
    now: Date,
  ): Promise<{ rows: PagingRow[]; count: number }> {
    const wanted = await pagingStore.lockWanted(workspaceId, tx, incidentIds);
    const rows = await tx.query<Omit<PagingRow, keyof WantedIncident>>(
      `SELECT ${COLUMNS}, ${IS_ROUTED} AS "isRouted", ${isCovered('own', '$4')} AS "isCovered"
       FROM incident_paging own
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
    const due = rows.flatMap((row) => {
      const incident = wanted.get(row.incidentId);
      return incident ? [{ ...row, ...incident }] : [];
    });
    const moved = due.length === 0 ? [] : await pagingStore.postpone(workspaceId, tx, teamId, due, now);
    return { rows: moved, count: rows.length };
  },

  /**
   * Moves the paging of a team on by the time in which maintenance windows covered the monitors since it was last counted.
   * @returns without the steps that are not due yet for that reason, unless a window covers their monitors now
   */
  async postpone(
    workspaceId: string,
    tx: Tx,
    teamId: string,
    rows: readonly PagingRow[],
    now: Date,
  ): Promise<PagingRow[]> {
    const moved = await keptStatements(tx).query<{ incidentId: string; began: Date; dueAt: Date }>(
      `UPDATE incident_paging paging SET began = began + waited, due_at = due_at + waited, waited_until = $4 FROM (
         SELECT incident_id, CASE WHEN waited IS NOT NULL OR ${isCovered('own', '$4')} THEN coalesce(waited, interval '0') END AS waited
         FROM incident_paging own CROSS JOIN LATERAL ${uncounted('$4', 'least(covered.ends, $4)')} AS past (waited)
         WHERE workspace_id = $1 AND incident_id = ANY ($2::uuid[]) AND team_id = $3
       ) AS counted
       WHERE paging.workspace_id = $1 AND paging.incident_id = counted.incident_id AND paging.team_id = $3 AND waited IS NOT NULL
       RETURNING paging.incident_id AS "incidentId", began, due_at AS "dueAt"`,
      [workspaceId, rows.map(({ incidentId }) => incidentId), teamId, now],
    );
    const byIncident = new Map(moved.map((one) => [one.incidentId, one]));
    return rows.flatMap((row) => {
      const one = byIncident.get(row.incidentId);
      return one && one.dueAt > now && !row.isCovered ? [] : [{ ...row, ...one }];
    });
  },

  /** Stores what follows steps. */
  async advance(tx: Tx, steps: readonly PagingProgress[]): Promise<void> {
    await tx.query(
      `UPDATE incident_paging own SET step = coalesce(done.step, own.step), round = coalesce(done.round, own.round),
         due_at = done.due_at, policy_id = done.policy_id, awaited_count = done.awaited_count,
         awaited = (SELECT array_agg(id::uuid) FROM jsonb_array_elements_text(done.awaited) AS id)
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::smallint[], $6::smallint[], $7::smallint[],
         $8::timestamptz[], $9::jsonb[]) AS done (workspace_id, incident_id, team_id, policy_id, awaited_count, step, round, due_at, awaited)
       WHERE own.workspace_id = done.workspace_id AND own.incident_id = done.incident_id AND own.team_id = done.team_id`,
      [
        ...valuesOf(steps, 'workspaceId', 'incidentId', 'teamId', 'policyId', 'awaitedCount'),
        steps.map(({ next }) => next?.step ?? null),
        steps.map(({ next }) => next?.round ?? null),
        steps.map(({ next }) => next && new Date(next.dueMs)),
        steps.map(({ awaited }) => awaited && JSON.stringify(awaited)),
      ],
    );
  },

  /** Who has acknowledged incidents since paging began, of those that are acknowledged in part. */
  async acknowledgers(
    workspaceId: string,
    tx: Tx,
    rows: readonly Pick<PagingRow, 'incidentId' | 'began'>[],
  ): Promise<{ incidentId: string; userId: string }[]> {
    if (rows.length === 0) return [];
    return tx.query(
      `SELECT DISTINCT event.incident_id AS "incidentId", actor AS "userId"
       FROM unnest($2::uuid[], $3::timestamptz[]) AS own (incident_id, began)
       JOIN incident_event event ON event.incident_id = own.incident_id AND event.at >= own.began
       WHERE event.workspace_id = $1 AND event.type = 'acknowledged' AND actor IS NOT NULL`,
      [workspaceId, ...valuesOf(rows, 'incidentId', 'began')],
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

  /** The confirmed contact methods of users, oldest first. */
  async contactMethods(workspaceId: string, tx: Tx, userIds: readonly string[]): Promise<ContactMethodRow[]> {
    return tx.query(
      `SELECT id, user_id AS "userId", type, address, lender_id AS "lenderId" FROM contact_method
       WHERE workspace_id = $1 AND user_id = ANY ($2::uuid[]) ORDER BY id`,
      [workspaceId, userIds],
    );
  },

  /** Finds the people who have been paged for incidents, each since a time, by any team but one, or whose page is queued. */
  async pagedSince(
    workspaceId: string,
    tx: Tx,
    incidents: readonly { incidentId: string; since: Date; exceptBy: string | null }[],
  ): Promise<{ incidentId: string; userId: string }[]> {
    return keptStatements(tx).query(
      `SELECT DISTINCT e.incident_id AS "incidentId", split_part(d.purpose, ':', 3) AS "userId"
       FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[]) AS paged (incident_id, since, except_by)
       JOIN alert_event e ON e.incident_id = paged.incident_id AND e.at >= paged.since
         AND (paged.except_by IS NULL OR e.detail ->> 'teamId' <> paged.except_by::text)
       JOIN delivery d ON d.event_id = e.id
       WHERE e.workspace_id = $1 AND d.purpose LIKE 'page:%' AND d.state IN ('waiting', 'delivered')`,
      [workspaceId, ...valuesOf(incidents, 'incidentId', 'since', 'exceptBy')],
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
         SELECT DISTINCT split_part(d.purpose, ':', 3) AS "userId", d.channel, d.address, substr(d.lane, strpos(d.lane, ':') + 1) AS key
         FROM (SELECT id, workspace_id FROM alert_event WHERE alert_event.incident_id = ended.incident_id OFFSET 0) AS e
         CROSS JOIN LATERAL (
           SELECT purpose, channel, address, lane, state FROM delivery WHERE delivery.event_id = e.id OFFSET 0
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
