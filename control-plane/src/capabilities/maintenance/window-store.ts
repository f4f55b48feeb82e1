import { type ManagedBy, managedByColumn } from '../../platform/documents/managed-by.js';
import { IsNull } from 'typeorm';
import { columnsOf } from '../../platform/db/columns.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { MaintenanceWindowEntity } from './maintenance-window.entity.js';
import { OPENED_AHEAD } from './period-store.js';
import type { WindowState } from './maintenance-schemas.js';

export type WindowRow = Omit<MaintenanceWindowEntity, 'workspaceId' | 'deletedAt'>;

export interface WindowViewRow extends WindowRow {
  managedBy: ManagedBy;
  activeUntil: Date | null;
  nextStart: Date | null;
  nextEnd: Date | null;
}

const READ = columnsOf(MaintenanceWindowEntity, { from: 'maintenance_window' });

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

export const windowStore = {
  /** The zone that windows have where none is given. */
  async timezone(workspaceId: string, tx: Tx): Promise<string> {
    return (await tx.value<string | undefined>('SELECT timezone FROM workspace WHERE id = $1', [workspaceId])) ?? 'UTC';
  },

  /** Counts the windows that are not deleted, and lets another that is being created wait. */
  async countForCreation(workspaceId: string, tx: Tx): Promise<number> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('watchpost.maintenance:' || $1, 0))`, [workspaceId]);
    return tx.manager.countBy(MaintenanceWindowEntity, { workspaceId, deletedAt: IsNull() });
  },

  async countPages(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<number> {
    return tx.value(
      'SELECT count(*) AS count FROM maintenance_page WHERE workspace_id = $1 AND status_page_id = ANY ($2)',
      [workspaceId, ids],
    );
  },

  async insert(workspaceId: string, tx: Tx, row: WindowRow): Promise<void> {
    await tx.manager.insert(MaintenanceWindowEntity, { ...row, workspaceId });
  },

  async update(workspaceId: string, tx: Tx, row: WindowRow): Promise<void> {
    await tx.manager.update(MaintenanceWindowEntity, { workspaceId, id: row.id }, row);
  },

  /** Its occurrences of the past remain. */
  async bury(workspaceId: string, tx: Tx, id: string, now: Date): Promise<void> {
    await tx.manager.update(MaintenanceWindowEntity, { workspaceId, id }, { deletedAt: now, lastModified: now });
  },

  async lock(workspaceId: string, tx: Tx, id: string): Promise<WindowRow | undefined> {
    return tx.one(
      `SELECT ${READ} FROM maintenance_window WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
      [workspaceId, id],
    );
  },

  /** Those with an occurrence for which monitors have periods already, or that runs. */
  async nearOrRunning(workspaceId: string, tx: Tx, now: Date): Promise<string[]> {
    return tx.column(
      `SELECT id FROM maintenance_window window_ WHERE workspace_id = $1 AND deleted_at IS NULL AND EXISTS (
         SELECT FROM maintenance_occurrence WHERE window_id = window_.id AND stage <> 'over'
           AND starts <= $2::timestamptz + ${OPENED_AHEAD})
       ORDER BY id FOR SHARE`,
      [workspaceId, now],
    );
  },

  async find(workspaceId: string, tx: Tx, id: string, now: Date): Promise<WindowViewRow | undefined> {
    return tx.one(`${VIEW} AND maintenance_window.id = $3`, [workspaceId, now, id]);
  },

  /** All that are not deleted, oldest first. */
  async all(workspaceId: string, tx: Tx): Promise<WindowRow[]> {
    const where = { workspaceId, deletedAt: IsNull() };
    return tx.manager.find(MaintenanceWindowEntity, { where, order: { created: 'ASC', id: 'ASC' } });
  },

  /** Newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    state: WindowState | null,
    now: Date,
    { limit, offset }: Rows,
  ): Promise<ListPage<WindowViewRow>> {
    const matching = `WITH matching AS (SELECT * FROM (${VIEW}) AS shown WHERE $3::text IS NULL OR $3 = ${STATE})`;
    const rows = await tx.query<WindowViewRow>(
      `${matching} SELECT * FROM matching ORDER BY created DESC, id DESC LIMIT $4 OFFSET $5`,
      [workspaceId, now, state, limit, offset],
    );
    return {
      items: rows,
      total: await tx.value(`${matching} SELECT count(*) FROM matching`, [workspaceId, now, state]),
    };
  },
};

/** The windows of all workspaces, for the service's own work. */
export const dueWindowStore = {
  /** Locks windows whose occurrences begin before `until` or are not over, in the order of their ids; without those that are being changed. */
  async lockDue(tx: Tx, until: Date, except: readonly string[], limit: number): Promise<string[]> {
    return tx.column(
      `SELECT id FROM maintenance_window WHERE id IN (
         SELECT window_id FROM maintenance_occurrence WHERE stage <> 'over' AND starts <= $1)
         AND id <> ALL ($2::uuid[])
       ORDER BY id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
      [until, except, limit],
    );
  },

  /** Locks these windows, in the order of their ids; without those that are being changed. */
  async lock(tx: Tx, ids: readonly string[]): Promise<string[]> {
    return tx.column(
      'SELECT id FROM maintenance_window WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED',
      [ids],
    );
  },

  /** Locks windows of which not all occurrences before `until` are stored, those with the fewest first. */
  async lockShort(tx: Tx, until: Date, limit: number): Promise<(WindowRow & { workspaceId: string })[]> {
    return tx.query<WindowRow & { workspaceId: string }>(
      `SELECT ${READ} FROM maintenance_window
       WHERE stored_until < $1 AND deleted_at IS NULL ORDER BY stored_until LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
      [until, limit],
    );
  },
};
