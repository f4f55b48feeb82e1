import { type ManagedBy, managedByColumn } from '../../platform/documents/managed-by.js';
import type { Tx } from '../../platform/db/database.js';
import { OPENED_AHEAD } from './period-store.js';
import type { WindowState } from './maintenance-schemas.js';

export interface WindowRow {
  id: string;
  name: string;
  description: string;
  /** Local time without offset. */
  startsAt: string;
  timezone: string;
  durationMs: number;
  recurrence: string | null;
  startedNow: Date | null;
  monitorIds: string[];
  serviceGroupIds: string[];
  tags: string[];
  coversAll: boolean;
  pausesChecks: boolean;
  statusPageIds: string[];
  notifySubscribers: boolean;
  /** Occurrences that begin before it are stored; null: all are. */
  storedUntil: Date | null;
  created: Date;
  lastModified: Date;
}

/** A window with its running and its next stored occurrence. */
export interface WindowViewRow extends WindowRow {
  managedBy: ManagedBy;
  activeUntil: Date | null;
  nextStart: Date | null;
  nextEnd: Date | null;
}

const COLUMNS: Readonly<Record<keyof WindowRow, string>> = {
  id: 'id',
  name: 'name',
  description: 'description',
  startsAt: 'starts_at',
  timezone: 'timezone',
  durationMs: 'duration_ms',
  recurrence: 'recurrence',
  startedNow: 'started_now',
  monitorIds: 'monitor_ids',
  serviceGroupIds: 'service_group_ids',
  tags: 'tags',
  coversAll: 'covers_all',
  pausesChecks: 'pauses_checks',
  statusPageIds: 'status_page_ids',
  notifySubscribers: 'notify_subscribers',
  storedUntil: 'stored_until',
  created: 'created',
  lastModified: 'last_modified',
};
const PROPERTIES = Object.keys(COLUMNS) as (keyof WindowRow)[];
const WRITTEN = Object.values(COLUMNS).join(', ');
const READ = PROPERTIES.map((property) => `maintenance_window.${COLUMNS[property]} AS "${property}"`).join(', ');
const valuesOf = (row: WindowRow) => PROPERTIES.map((property) => row[property]);

/** `$2` is the present time. Occurrences of one window do not overlap, so the last that began is the only one that can run. */
const VIEW = `SELECT ${READ}, ${managedByColumn('maintenanceWindows', 'maintenance_window')}, CASE WHEN began.ends > $2 THEN began.ends END AS "activeUntil",
    upcoming.starts AS "nextStart", upcoming.ends AS "nextEnd"
  FROM maintenance_window
  LEFT JOIN LATERAL (SELECT ends FROM maintenance_occurrence WHERE window_id = maintenance_window.id AND starts <= $2
    ORDER BY starts DESC LIMIT 1) AS began ON true
  LEFT JOIN LATERAL (SELECT starts, ends FROM maintenance_occurrence WHERE window_id = maintenance_window.id AND starts > $2
    ORDER BY starts LIMIT 1) AS upcoming ON true
  WHERE maintenance_window.workspace_id = $1 AND maintenance_window.deleted_at IS NULL`;
const STATE = `CASE WHEN "activeUntil" IS NOT NULL THEN 'active'
  WHEN "nextStart" IS NOT NULL OR "storedUntil" IS NOT NULL THEN 'scheduled' ELSE 'finished' END`;

/** The configuration of maintenance windows, by workspace. */
export const windowStore = {
  /** The zone that windows have where none is given. */
  async timezone(workspaceId: string, tx: Tx): Promise<string> {
    const [row] = await tx.query<{ timezone: string }>('SELECT timezone FROM workspace WHERE id = $1', [workspaceId]);
    return row?.timezone ?? 'UTC';
  },

  /** Counts the windows that are not deleted, and lets another that is being created wait. */
  async countForCreation(workspaceId: string, tx: Tx): Promise<number> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('watchpost.maintenance:' || $1, 0))`, [workspaceId]);
    const [row] = await tx.query<{ count: number }>(
      'SELECT count(*) AS count FROM maintenance_window WHERE workspace_id = $1 AND deleted_at IS NULL',
      [workspaceId],
    );
    return row!.count;
  },

  /** The number of these status pages that the workspace has. */
  async countPages(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      'SELECT count(*) AS count FROM maintenance_page WHERE workspace_id = $1 AND status_page_id = ANY ($2)',
      [workspaceId, ids],
    );
    return row!.count;
  },

  async insert(workspaceId: string, tx: Tx, row: WindowRow): Promise<void> {
    await tx.query(
      `INSERT INTO maintenance_window (workspace_id, ${WRITTEN})
       VALUES ($1, ${PROPERTIES.map((_, index) => `$${index + 2}`).join(', ')})`,
      [workspaceId, ...valuesOf(row)],
    );
  },

  async update(workspaceId: string, tx: Tx, row: WindowRow): Promise<void> {
    await tx.query(
      `UPDATE maintenance_window SET (${WRITTEN}) = (${PROPERTIES.map((_, index) => `$${index + 2}`).join(', ')})
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, ...valuesOf(row)],
    );
  },

  /** Its occurrences of the past remain. */
  async bury(workspaceId: string, tx: Tx, id: string, now: Date): Promise<void> {
    await tx.query(
      'UPDATE maintenance_window SET deleted_at = $3, last_modified = $3 WHERE workspace_id = $1 AND id = $2',
      [workspaceId, id, now],
    );
  },

  /** Locks a window until the transaction ends. */
  async lock(workspaceId: string, tx: Tx, id: string): Promise<WindowRow | undefined> {
    const [row] = await tx.query<WindowRow>(
      `SELECT ${READ} FROM maintenance_window WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
      [workspaceId, id],
    );
    return row;
  },

  /** Those with an occurrence for which monitors have periods already, or that runs. */
  async nearOrRunning(workspaceId: string, tx: Tx, now: Date): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM maintenance_window window_ WHERE workspace_id = $1 AND deleted_at IS NULL AND EXISTS (
         SELECT FROM maintenance_occurrence WHERE window_id = window_.id AND stage <> 'over'
           AND starts <= $2::timestamptz + ${OPENED_AHEAD})
       ORDER BY id FOR SHARE`,
      [workspaceId, now],
    );
    return rows.map(({ id }) => id);
  },

  async find(workspaceId: string, tx: Tx, id: string, now: Date): Promise<WindowViewRow | undefined> {
    const [row] = await tx.query<WindowViewRow>(`${VIEW} AND maintenance_window.id = $3`, [workspaceId, now, id]);
    return row;
  },

  /** All that are not deleted, oldest first. */
  async all(workspaceId: string, tx: Tx): Promise<WindowRow[]> {
    return tx.query<WindowRow>(
      `SELECT ${READ} FROM maintenance_window WHERE workspace_id = $1 AND deleted_at IS NULL ORDER BY created, id`,
      [workspaceId],
    );
  },

  /** Newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    state: WindowState | null,
    now: Date,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ rows: WindowViewRow[]; total: number }> {
    const matching = `WITH matching AS (SELECT * FROM (${VIEW}) AS shown WHERE $3::text IS NULL OR $3 = ${STATE})`;
    const rows = await tx.query<WindowViewRow>(
      `${matching} SELECT * FROM matching ORDER BY created DESC, id DESC LIMIT $4 OFFSET $5`,
      [workspaceId, now, state, limit, offset],
    );
    const [count] = await tx.query<{ total: number }>(`${matching} SELECT count(*) AS total FROM matching`, [
      workspaceId,
      now,
      state,
    ]);
    return { rows, total: count!.total };
  },
};

/** The windows of all workspaces, for the service's own work. */
export const dueWindowStore = {
  /** Locks windows whose occurrences begin before `until` or are not over, in the order of their ids; without those that are being changed. */
  async lockDue(tx: Tx, until: Date, except: readonly string[], limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM maintenance_window WHERE id IN (
         SELECT window_id FROM maintenance_occurrence WHERE stage <> 'over' AND starts <= $1)
         AND id <> ALL ($2::uuid[])
       ORDER BY id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
      [until, except, limit],
    );
    return rows.map(({ id }) => id);
  },

  /** Locks these windows, in the order of their ids; without those that are being changed. */
  async lock(tx: Tx, ids: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      'SELECT id FROM maintenance_window WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED',
      [ids],
    );
    return rows.map(({ id }) => id);
  },

  /** Locks windows of which not all occurrences before `until` are stored, those with the fewest first. */
  async lockShort(tx: Tx, until: Date, limit: number): Promise<(WindowRow & { workspaceId: string })[]> {
    return tx.query<WindowRow & { workspaceId: string }>(
      `SELECT ${READ}, workspace_id AS "workspaceId" FROM maintenance_window
       WHERE stored_until < $1 AND deleted_at IS NULL ORDER BY stored_until LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
      [until, limit],
    );
  },
};
