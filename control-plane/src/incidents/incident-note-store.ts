import type { Tx } from '../db/database.js';

export interface NoteRow {
  id: string;
  note: string;
  createdAt: Date;
  createdBy: string;
  lastModified: Date;
  modifiedBy: string;
}

const COLUMNS = `id, note, created_at AS "createdAt", created_by AS "createdBy", last_modified AS "lastModified",
  modified_by AS "modifiedBy"`;

/** Notes of incidents, by workspace. */
export const incidentNoteStore = {
  /** Newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    incidentId: string,
    page: { limit: number; offset: number },
  ): Promise<{ rows: NoteRow[]; total: number }> {
    const rows = await tx.query<NoteRow>(
      `SELECT ${COLUMNS} FROM incident_note WHERE workspace_id = $1 AND incident_id = $2
       ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
      [workspaceId, incidentId, page.limit, page.offset],
    );
    const [count] = await tx.query<{ total: number }>(
      'SELECT count(*) AS total FROM incident_note WHERE workspace_id = $1 AND incident_id = $2',
      [workspaceId, incidentId],
    );
    return { rows, total: count!.total };
  },

  async find(workspaceId: string, tx: Tx, incidentId: string, noteId: string): Promise<NoteRow | undefined> {
    const [row] = await tx.query<NoteRow>(
      `SELECT ${COLUMNS} FROM incident_note WHERE workspace_id = $1 AND incident_id = $2 AND id = $3`,
      [workspaceId, incidentId, noteId],
    );
    return row;
  },

  async insert(workspaceId: string, tx: Tx, incidentId: string, row: NoteRow): Promise<void> {
    await tx.query(
      `INSERT INTO incident_note (workspace_id, incident_id, id, note, created_at, created_by, last_modified, modified_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [workspaceId, incidentId, row.id, row.note, row.createdAt, row.createdBy, row.lastModified, row.modifiedBy],
    );
  },

  async update(workspaceId: string, tx: Tx, incidentId: string, row: NoteRow): Promise<void> {
    await tx.query(
      `UPDATE incident_note SET note = $4, last_modified = $5, modified_by = $6
       WHERE workspace_id = $1 AND incident_id = $2 AND id = $3`,
      [workspaceId, incidentId, row.id, row.note, row.lastModified, row.modifiedBy],
    );
  },

  async remove(workspaceId: string, tx: Tx, incidentId: string, noteId: string): Promise<void> {
    await tx.query('DELETE FROM incident_note WHERE workspace_id = $1 AND incident_id = $2 AND id = $3', [
      workspaceId,
      incidentId,
      noteId,
    ]);
  },
};
