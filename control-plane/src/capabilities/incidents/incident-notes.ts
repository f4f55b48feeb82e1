import { notFound, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { publishEvents } from '../paging/index.js';
import { type AuditedChange, recordAudit } from '../audit/index.js';
import { type ListPage, mapPage, type Rows, type Tx } from '../../platform/db/tx.js';
import type { Actor } from '../../platform/identity/caller.js';
import { addTimelineEntries } from '../timeline/index.js';
import { entriesBy, incidentClosed } from './decide-incident-change.js';
import { describeNote } from './describe-incident.js';
import type { IncidentNote } from './incident-schemas.js';
import { incidentNoteStore, type NoteRow } from './incident-note-store.js';
import { type IncidentRow, incidentStore } from './incident-store.js';
import type { IncidentDeps } from './read-incidents.js';

/** Notes of an incident, newest first. @throws Fault not_found */
export async function listNotes(
  deps: IncidentDeps,
  actor: Actor,
  incidentId: string,
  page: Rows,
): Promise<ListPage<IncidentNote>> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    if (!(await incidentStore.find(workspaceId, tx, incidentId))) throw notFound('incident');
    return mapPage(await incidentNoteStore.page(workspaceId, tx, incidentId, page), describeNote);
  });
}

/** @throws Fault not_found */
export async function getNote(
  deps: IncidentDeps,
  actor: Actor,
  { incidentId, noteId }: { incidentId: string; noteId: string },
): Promise<IncidentNote> {
  const row = found(
    await deps.db.read((tx) => incidentNoteStore.find(actor.workspace.workspaceId, tx, incidentId, noteId)),
    'note',
  );
  return describeNote(row);
}

/** @throws Fault not_found, incident_closed */
export async function addNote(
  deps: IncidentDeps,
  actor: Actor,
  incidentId: string,
  note: string,
): Promise<IncidentNote> {
  return deps.db.transaction(async (tx) => {
    const incident = await lockOpenIncident(tx, actor, incidentId);
    const nowMs = deps.clock.now();
    const { userId } = actor.caller;
    const at = new Date(nowMs);
    const row: NoteRow = {
      id: newId(nowMs),
      note,
      createdAt: at,
      createdBy: userId,
      lastModified: at,
      modifiedBy: userId,
    };
    const { workspaceId } = actor.workspace;
    await incidentNoteStore.insert(workspaceId, tx, incidentId, row);
    const event = { type: 'note_added', atMs: nowMs, detail: { noteId: row.id } } as const;
    await addTimelineEntries(tx, entriesBy(actor, incidentId, [event]));
    const monitorKey = await incidentStore.monitorKey(workspaceId, tx, incidentId);
    const detail = { actorId: userId, noteId: row.id, note };
    await publishEvents(deps, tx, [
      { workspaceId, monitorKey, incidentId, atMs: nowMs, type: 'incident.note_added', detail },
    ]);
    await recordAudit(deps, tx, actor, noteChange(incident, row.id, { from: null, to: note }));
    return describeNote(row);
  });
}

/** @throws Fault not_found, incident_closed, precondition_failed */
export async function changeNote(
  deps: IncidentDeps,
  actor: Actor,
  ids: { incidentId: string; noteId: string },
  note: string | undefined,
): Promise<IncidentNote> {
  return deps.db.transaction(async (tx) => {
    const { incident, row } = await lockNote(tx, actor, ids);
    actor.checkPrecondition?.(describeNote(row));
    if (note === undefined || note === row.note) return describeNote(row);
    const changed = { ...row, note, lastModified: new Date(deps.clock.now()), modifiedBy: actor.caller.userId };
    await incidentNoteStore.update(actor.workspace.workspaceId, tx, ids.incidentId, changed);
    await recordAudit(deps, tx, actor, noteChange(incident, row.id, { from: row.note, to: note }));
    return describeNote(changed);
  });
}

/** @throws Fault not_found, incident_closed, precondition_failed */
export async function deleteNote(
  deps: IncidentDeps,
  actor: Actor,
  ids: { incidentId: string; noteId: string },
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const { incident, row } = await lockNote(tx, actor, ids);
    actor.checkPrecondition?.(describeNote(row));
    await incidentNoteStore.remove(actor.workspace.workspaceId, tx, ids.incidentId, ids.noteId);
    await recordAudit(deps, tx, actor, noteChange(incident, row.id, { from: row.note, to: null }));
  });
}

async function lockOpenIncident(tx: Tx, actor: Actor, incidentId: string): Promise<IncidentRow> {
  const incident = found(
    await incidentStore.find(actor.workspace.workspaceId, tx, incidentId, 'FOR UPDATE'),
    'incident',
  );
  if (incident.isClosed) throw incidentClosed();
  return incident;
}

async function lockNote(
  tx: Tx,
  actor: Actor,
  ids: { incidentId: string; noteId: string },
): Promise<{ incident: IncidentRow; row: NoteRow }> {
  const incident = await lockOpenIncident(tx, actor, ids.incidentId);
  const row = found(await incidentNoteStore.find(actor.workspace.workspaceId, tx, ids.incidentId, ids.noteId), 'note');
  return { incident, row };
}

/** For the audit log: the text of a note; null where there is none. */
function noteChange(
  { id, workspaceId, monitorName }: IncidentRow,
  noteId: string,
  { from, to }: { from: string | null; to: string | null },
): AuditedChange {
  const action =
    from === null ? 'incident.note_added' : to === null ? 'incident.note_deleted' : 'incident.note_changed';
  const textOf = (note: string | null) => ({ notes: { [noteId]: note } });
  return { workspaceId, action, target: { id, name: monitorName }, before: textOf(from), after: textOf(to) };
}
