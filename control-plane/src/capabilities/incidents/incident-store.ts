import type { IncidentType } from '@watchpost/shared/incident-types';
import { columnsOf } from '../../platform/db/columns.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { IncidentEntity } from './incident.entity.js';
import type { Severity } from '@watchpost/shared/incident-types';
import type { IncidentSort, IncidentStatus } from './incident-commands.js';

export interface IncidentRow extends Omit<IncidentEntity, 'monitorKey' | 'worstSeverity'> {
  /** The worst that it has had. */
  worstSeverity: Severity;
  /** How many failures of other monitors it explains. */
  dependentCount: number;
}

/** An open incident in a list of the worst. */
export interface OpenIncidentRow extends Omit<IncidentRow, 'context'> {
  monitorKey: number;
  /** null where nobody has, and where the person has left. */
  acknowledgedByName: string | null;
  total: number;
}

export interface IncidentFilter {
  monitorId?: string | undefined;
  status?: IncidentStatus | undefined;
  isClosed?: boolean | undefined;
  incidentType?: IncidentType | undefined;
  /** On `started`, ms since the epoch, inclusive. */
  fromMs?: number | undefined;
  /** On `started`, ms since the epoch, exclusive. */
  toMs?: number | undefined;
  /** Only those that go on or ended after this, ms since the epoch. */
  endedAfterMs?: number | undefined;
  /** Part of the monitor's name or of the cause, in any case. */
  search?: string | undefined;
  /** Default: newest first. */
  sort?: IncidentSort | undefined;
}

const SUMMARY = `${columnsOf(IncidentEntity, { without: ['monitorKey', 'context', 'worstSeverity'] })},
  coalesce(worst_severity, severity) AS "worstSeverity",
  (SELECT count(*) FROM incident_dependent WHERE incident_id = incident.id) AS "dependentCount"`;

const NEWEST_FIRST = 'started DESC, id DESC';
const WORST_FIRST = `ended IS NOT NULL,
  array_position('{down,partial,warning}', CASE WHEN ended IS NULL THEN severity ELSE coalesce(worst_severity, severity) END),
  acknowledged, ${NEWEST_FIRST}`;

/** Incidents by workspace: what people and their programs read and change. */
export const incidentStore = {
  async page(
    workspaceId: string,
    tx: Tx,
    filter: IncidentFilter,
    page: Rows,
  ): Promise<ListPage<Omit<IncidentRow, 'context'>>> {
    const where = `workspace_id = $1 AND ($2::uuid IS NULL OR monitor_id = $2) AND ($3::text IS NULL OR status = $3)
      AND ($4::boolean IS NULL OR is_closed = $4) AND ($5::text IS NULL OR incident_type = $5)
      AND ($6::timestamptz IS NULL OR started >= $6) AND ($7::timestamptz IS NULL OR started < $7)
      AND ($8::text IS NULL OR strpos(lower(monitor_name), $8) > 0 OR strpos(lower(failure_reason), $8) > 0)
      AND ($9::timestamptz IS NULL OR ended IS NULL OR ended > $9)`;
    const { monitorId, status, isClosed, incidentType, fromMs, toMs, endedAfterMs, search, sort } = filter;
    const values = [
      workspaceId,
      monitorId ?? null,
      status ?? null,
      isClosed ?? null,
      incidentType ?? null,
      fromMs === undefined ? null : new Date(fromMs),
      toMs === undefined ? null : new Date(toMs),
      search?.toLowerCase() ?? null,
      endedAfterMs === undefined ? null : new Date(endedAfterMs),
    ];
    const [count] = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM incident WHERE ${where}`, values);
    const { total } = count!;
    const limit = Math.max(0, Math.min(page.limit, total - page.offset));
    // OFFSET reads the rows that it skips, so a list page in the second half is read from the end: offset 7,450 of 10,000
    // takes 1.1 ms instead of 4.5 ms.
    const isLate = sort !== 'severity' && page.offset > total / 2;
    const [order, offset] = isLate
      ? ['started, id', total - page.offset - limit]
      : [sort === 'severity' ? WORST_FIRST : NEWEST_FIRST, page.offset];
    // The rows that OFFSET skips would be read with their columns, and their dependents be counted.
    const rows = await tx.query<Omit<IncidentRow, 'context'>>(
      `SELECT ${SUMMARY} FROM incident WHERE workspace_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM incident WHERE ${where} ORDER BY ${order} LIMIT $10 OFFSET $11
       )) ORDER BY ${order}`,
      [...values, limit, Math.max(0, offset)],
    );
    if (isLate) rows.reverse();
    return { items: rows, total };
  },

  /**
   * Open incidents, the worst first: those that go on, by severity, those that nobody has acknowledged, the newest. `name`
   * is that of the person who acknowledged.
   */
  async openWorstFirst(workspaceId: string, tx: Tx, limit: number): Promise<OpenIncidentRow[]> {
    return tx.query<OpenIncidentRow>(
      `WITH worst AS MATERIALIZED (
         SELECT ${SUMMARY}, monitor_key AS "monitorKey", count(*) OVER () AS total, row_number() OVER (ORDER BY ${WORST_FIRST}) AS place
         FROM incident WHERE workspace_id = $1 AND NOT is_closed ORDER BY place LIMIT $2
       )
       SELECT worst.*, coalesce(person.name, person.email) AS "acknowledgedByName"
       FROM worst LEFT JOIN reachable_member person ON person.workspace_id = $1 AND person.user_id = "acknowledgedBy"
       ORDER BY place`,
      [workspaceId, limit],
    );
  },

  /**
   * The incidents of the hours from a moment on: how many were open from one of these hours to another, both by their number
   * from 0. Those that are open now are so in the last one. Closing is the last change of an incident.
   */
  async openSpans(
    workspaceId: string,
    tx: Tx,
    from: Date,
    hours: number,
  ): Promise<{ first: number; last: number; count: number }[]> {
    return tx.query(
      `SELECT least($3, greatest(0, floor(extract(epoch FROM started - $2) / 3600)))::integer AS first,
         -- of open ones null, which does not count here
         least($3, floor(extract(epoch FROM closed - $2) / 3600))::integer AS last, count(*) AS count
       FROM (
         SELECT started, NULL::timestamptz AS closed FROM incident WHERE workspace_id = $1 AND NOT is_closed
         UNION ALL
         SELECT started, last_modified FROM incident WHERE workspace_id = $1 AND is_closed AND last_modified >= $2
       ) AS spans GROUP BY 1, 2`,
      [workspaceId, from, hours - 1],
    );
  },

  async hasMonitor(workspaceId: string, tx: Tx, monitorId: string): Promise<boolean> {
    return tx.some('SELECT FROM monitor WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL', [
      workspaceId,
      monitorId,
    ]);
  },

  async find(workspaceId: string, tx: Tx, id: string, lock: 'FOR UPDATE' | '' = ''): Promise<IncidentRow | undefined> {
    return tx.one(`SELECT ${SUMMARY}, context FROM incident WHERE workspace_id = $1 AND id = $2 ${lock}`, [
      workspaceId,
      id,
    ]);
  },

  /** Those of these incidents that exist, in the given order. */
  async some(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<Omit<IncidentRow, 'context'>[]> {
    return tx.query<Omit<IncidentRow, 'context'>>(
      `SELECT ${SUMMARY} FROM incident WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY array_position($2::uuid[], id)`,
      [workspaceId, ids],
    );
  },

  /** The incident must exist. */
  async monitorKey(workspaceId: string, tx: Tx, id: string): Promise<number> {
    return tx.value('SELECT monitor_key AS key FROM incident WHERE workspace_id = $1 AND id = $2', [workspaceId, id]);
  },

  /** Writes the fields that a person may change; the caller has locked the row by `find`. */
  async save(workspaceId: string, tx: Tx, row: IncidentRow): Promise<void> {
    const { id, status, isClosed, acknowledged, acknowledgedAt, acknowledgedBy, closedBy, ended, lastModified } = row;
    const change = { status, isClosed, acknowledged, acknowledgedAt, acknowledgedBy, closedBy, ended, lastModified };
    await tx.manager.update(IncidentEntity, { workspaceId, id }, change);
  },
};

/** Incidents of erased monitors of all workspaces, for the service's own housekeeping. */
export const erasedIncidentStore = {
  /** @returns how many incidents were erased, each with its timeline, notes and acknowledge links */
  async erase(tx: Tx, monitorKeys: readonly number[], limit: number): Promise<number> {
    return tx.execute(
      'DELETE FROM incident WHERE id = ANY (ARRAY(SELECT id FROM incident WHERE monitor_key = ANY ($1) LIMIT $2))',
      [monitorKeys, limit],
    );
  },
};
