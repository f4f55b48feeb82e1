import type { Tx } from '../db/database.js';
import type {
  CurrentIncident,
  IncidentEventInput,
  IncidentStatus,
  IncidentType,
  OpenedIncident,
  Severity,
} from './incident-commands.js';

export interface IncidentRow {
  id: string;
  workspaceId: string;
  monitorId: string;
  monitorName: string;
  incidentType: IncidentType;
  status: IncidentStatus;
  isClosed: boolean;
  severity: Severity;
  regions: string[];
  acknowledged: boolean;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  closedBy: string | null;
  started: Date;
  ended: Date | null;
  failureReason: string;
  context: Record<string, unknown>;
  created: Date;
  lastModified: Date;
}

export interface TimelineRow {
  at: Date;
  type: string;
  actor: string | null;
  detail: Record<string, unknown>;
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
}

const SUMMARY = `id, workspace_id AS "workspaceId", monitor_id AS "monitorId", monitor_name AS "monitorName",
  incident_type AS "incidentType", status, is_closed AS "isClosed", severity, regions, acknowledged,
  acknowledged_at AS "acknowledgedAt", acknowledged_by AS "acknowledgedBy", closed_by AS "closedBy", started, ended,
  failure_reason AS "failureReason", created, last_modified AS "lastModified"`;

/** Incidents by workspace: what people and their programs read and change. */
export const incidentStore = {
  async page(
    workspaceId: string,
    tx: Tx,
    filter: IncidentFilter,
    page: { limit: number; offset: number },
  ): Promise<{ rows: Omit<IncidentRow, 'context'>[]; total: number }> {
    const where = `workspace_id = $1 AND ($2::uuid IS NULL OR monitor_id = $2) AND ($3::text IS NULL OR status = $3)
      AND ($4::boolean IS NULL OR is_closed = $4) AND ($5::text IS NULL OR incident_type = $5)
      AND ($6::timestamptz IS NULL OR started >= $6) AND ($7::timestamptz IS NULL OR started < $7)`;
    const { monitorId, status, isClosed, incidentType, fromMs, toMs } = filter;
    const values = [
      workspaceId,
      monitorId ?? null,
      status ?? null,
      isClosed ?? null,
      incidentType ?? null,
      fromMs === undefined ? null : new Date(fromMs),
      toMs === undefined ? null : new Date(toMs),
    ];
    const rows = await tx.query<Omit<IncidentRow, 'context'>>(
      `SELECT ${SUMMARY} FROM incident WHERE ${where} ORDER BY started DESC, id DESC LIMIT $8 OFFSET $9`,
      [...values, page.limit, page.offset],
    );
    const [count] = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM incident WHERE ${where}`, values);
    return { rows, total: count!.total };
  },

  async hasMonitor(workspaceId: string, tx: Tx, monitorId: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM monitor WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL', [
      workspaceId,
      monitorId,
    ]);
    return rows.length > 0;
  },

  async find(workspaceId: string, tx: Tx, id: string, lock: 'FOR UPDATE' | '' = ''): Promise<IncidentRow | undefined> {
    const [row] = await tx.query<IncidentRow>(
      `SELECT ${SUMMARY}, context FROM incident WHERE workspace_id = $1 AND id = $2 ${lock}`,
      [workspaceId, id],
    );
    return row;
  },

  /** Writes what a person may change; the row is locked by `find` before. */
  async save(workspaceId: string, tx: Tx, row: IncidentRow): Promise<void> {
    await tx.query(
      `UPDATE incident SET status = $3, is_closed = $4, acknowledged = $5, acknowledged_at = $6, acknowledged_by = $7,
         closed_by = $8, ended = $9, last_modified = $10
       WHERE workspace_id = $1 AND id = $2`,
      [
        workspaceId,
        row.id,
        row.status,
        row.isClosed,
        row.acknowledged,
        row.acknowledgedAt,
        row.acknowledgedBy,
        row.closedBy,
        row.ended,
        row.lastModified,
      ],
    );
  },

  /** The newest `limit` events, oldest first. */
  async timeline(workspaceId: string, tx: Tx, incidentId: string, limit: number): Promise<TimelineRow[]> {
    const rows = await tx.query<TimelineRow>(
      `SELECT at, type, actor, detail FROM incident_event WHERE workspace_id = $1 AND incident_id = $2
       ORDER BY at DESC, seq DESC LIMIT $3`,
      [workspaceId, incidentId, limit],
    );
    return rows.reverse();
  },

  async addEvents(
    workspaceId: string,
    tx: Tx,
    incidentId: string,
    actor: string | null,
    events: readonly IncidentEventInput[],
  ): Promise<void> {
    if (events.length === 0) return;
    await tx.query(
      `INSERT INTO incident_event (workspace_id, incident_id, at, type, actor, detail)
       SELECT $1, $2, event.at, event.type, $3, event.detail
       FROM jsonb_to_recordset($4) AS event (at timestamptz, type text, detail jsonb)`,
      [workspaceId, incidentId, actor, JSON.stringify(events.map((event) => ({ ...event, at: new Date(event.atMs) })))],
    );
  },
};

export interface OpenRow {
  id: string;
  workspaceId: string;
  monitorKey: number;
  monitorId: string;
  monitorName: string;
  incidentType: IncidentType;
  severity: Severity;
  regions: readonly string[];
  failureReason: string;
  context: Record<string, unknown>;
  at: Date;
}

export interface ChangeRow {
  id: string;
  workspaceId: string;
  at: Date;
  /** null leaves it as it is. */
  severity: Severity | null;
  regions: readonly string[] | null;
  status: IncidentStatus | null;
  isClosed: boolean;
  /** `set` where it is empty, `clear`, or left alone. */
  ended: 'set' | 'clear' | 'keep';
}

/**
 * What the verdict does to many monitors' incidents at once, one statement a kind. Every row names its
 * workspace; the partial unique index decides who opens when two would.
 */
export const verdictIncidentStore = {
  /** @returns those that were really opened; where one was open already, nothing */
  async open(tx: Tx, rows: readonly OpenRow[]): Promise<OpenedIncident[]> {
    return tx.query<OpenedIncident>(
      `INSERT INTO incident (id, workspace_id, monitor_key, monitor_id, monitor_name, incident_type, severity, regions,
         failure_reason, context, started, created, last_modified)
       SELECT id, "workspaceId", "monitorKey", "monitorId", "monitorName", "incidentType", severity,
         ARRAY(SELECT jsonb_array_elements_text(regions)), "failureReason", context, at, at, at
       FROM jsonb_to_recordset($1) AS new (id uuid, "workspaceId" uuid, "monitorKey" bigint, "monitorId" uuid,
         "monitorName" text, "incidentType" text, severity text, regions jsonb, "failureReason" text, context jsonb,
         at timestamptz)
       ON CONFLICT (workspace_id, monitor_key, incident_type) WHERE NOT is_closed DO NOTHING
       RETURNING id AS "incidentId", monitor_key AS "monitorKey", incident_type AS "incidentType"`,
      [JSON.stringify(rows)],
    );
  },

  /** @returns the ids of those that were open, and so were changed */
  async change(tx: Tx, rows: readonly ChangeRow[]): Promise<Set<string>> {
    // The rows are locked in the order of their ids before any is changed: two verdicts cannot deadlock here.
    const changed = await tx.query<{ id: string }>(
      `WITH change AS (
         SELECT * FROM jsonb_to_recordset($1) AS row (id uuid, "workspaceId" uuid, at timestamptz, severity text,
           regions jsonb, status text, "isClosed" boolean, ended text)
       ), locked AS (
         SELECT incident.id FROM incident JOIN change USING (id)
         WHERE incident.workspace_id = change."workspaceId" AND NOT incident.is_closed
         ORDER BY incident.id FOR UPDATE OF incident
       ), done AS (
         UPDATE incident SET
           severity = coalesce(change.severity, incident.severity),
           regions = CASE WHEN jsonb_typeof(change.regions) = 'array'
             THEN ARRAY(SELECT jsonb_array_elements_text(change.regions)) ELSE incident.regions END,
           status = coalesce(change.status, incident.status),
           is_closed = change."isClosed",
           ended = CASE change.ended WHEN 'set' THEN coalesce(incident.ended, change.at) WHEN 'clear' THEN NULL ELSE incident.ended END,
           last_modified = greatest(change.at, incident.last_modified)
         FROM change JOIN locked USING (id)
         WHERE incident.id = change.id AND incident.workspace_id = change."workspaceId"
         RETURNING incident.id
       ) SELECT id FROM done`,
      [JSON.stringify(rows)],
    );
    return new Set(changed.map((row) => row.id));
  },

  /** The service's own events on the timelines of many incidents. */
  async addEvents(
    tx: Tx,
    events: readonly { workspaceId: string; incidentId: string; event: IncidentEventInput }[],
  ): Promise<void> {
    if (events.length === 0) return;
    await tx.query(
      `INSERT INTO incident_event (workspace_id, incident_id, at, type, detail)
       SELECT "workspaceId", "incidentId", at, type, detail
       FROM jsonb_to_recordset($1) AS event ("workspaceId" uuid, "incidentId" uuid, at timestamptz, type text,
         detail jsonb, place integer)
       ORDER BY place`,
      [
        JSON.stringify(
          events.map(({ workspaceId, incidentId, event }, place) => ({
            place,
            workspaceId,
            incidentId,
            at: new Date(event.atMs),
            type: event.type,
            detail: event.detail,
          })),
        ),
      ],
    );
  },

  /** The newest incident of each of these monitors and types. */
  async current(tx: Tx, monitorKeys: readonly number[]): Promise<CurrentIncident[]> {
    return tx.query<CurrentIncident>(
      `SELECT DISTINCT ON (monitor_key, incident_type) id, monitor_key AS "monitorKey", incident_type AS "incidentType",
         is_closed AS "isClosed", closed_by AS "closedBy",
         (extract(epoch FROM started) * 1000)::bigint AS "startedMs", (extract(epoch FROM ended) * 1000)::bigint AS "endedMs"
       FROM incident WHERE monitor_key = ANY ($1)
       ORDER BY monitor_key, incident_type, started DESC, id DESC`,
      [monitorKeys],
    );
  },

  /** The open incidents of monitors, for closing them when a monitor is paused or deleted. */
  async openOf(workspaceId: string, tx: Tx, monitorKey: number): Promise<{ id: string }[]> {
    return tx.query<{ id: string }>(
      'SELECT id FROM incident WHERE workspace_id = $1 AND monitor_key = $2 AND NOT is_closed',
      [workspaceId, monitorKey],
    );
  },
};
