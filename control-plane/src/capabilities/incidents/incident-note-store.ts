import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { IncidentNoteEntity } from './incident.entity.js';

export type NoteRow = Omit<IncidentNoteEntity, 'workspaceId' | 'incidentId'>;

const notesIn = (tx: Tx) => tx.manager.getRepository(IncidentNoteEntity);

export const incidentNoteStore = {
  /** Newest first. */
  async page(workspaceId: string, tx: Tx, incidentId: string, page: Rows): Promise<ListPage<NoteRow>> {
    const [rows, total] = await notesIn(tx).findAndCount({
      where: { workspaceId, incidentId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
    return { items: rows, total };
  },

  async find(workspaceId: string, tx: Tx, incidentId: string, noteId: string): Promise<NoteRow | null> {
    return notesIn(tx).findOneBy({ workspaceId, incidentId, id: noteId });
  },

  async insert(workspaceId: string, tx: Tx, incidentId: string, row: NoteRow): Promise<void> {
    await notesIn(tx).insert({ ...row, workspaceId, incidentId });
  },

  async update(workspaceId: string, tx: Tx, incidentId: string, row: NoteRow): Promise<void> {
    const { id, note, lastModified, modifiedBy } = row;
    await notesIn(tx).update({ workspaceId, incidentId, id }, { note, lastModified, modifiedBy });
  },

  async remove(workspaceId: string, tx: Tx, incidentId: string, noteId: string): Promise<void> {
    await notesIn(tx).delete({ workspaceId, incidentId, id: noteId });
  },
};
