import type { Clock } from '@watchpost/shared/clock';
import { notFound, found } from '@watchpost/shared/fault';
import type { Database, ListPage, Rows, Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { describeIncident, describeIncidentSummary } from './describe-incident.js';
import type { IncidentSummary, Incident } from './incident-schemas.js';
import { readTimeline } from '../timeline/index.js';
import { dependentStore } from './dependent-store.js';
import { incidentNoteStore } from './incident-note-store.js';
import { type IncidentFilter, incidentStore } from './incident-store.js';

export interface IncidentDeps {
  db: Database;
  clock: Clock;
}

/** Most notes that a detail view shows: the newest. The notes' own list has them all. */
const NOTES_LIMIT = 200;
/** Most dependents that a detail view shows. */
const DEPENDENTS_LIMIT = 50;

/** Incidents of the workspace, newest first. */
export async function listIncidents(
  deps: IncidentDeps,
  actor: Actor,
  filter: IncidentFilter,
  page: Rows,
): Promise<ListPage<IncidentSummary>> {
  const { items: rows, total } = await deps.db.read((tx) =>
    incidentStore.page(actor.workspace.workspaceId, tx, filter, page),
  );
  const nowMs = deps.clock.now();
  return { items: rows.map((row) => describeIncidentSummary(row, nowMs)), total };
}

/** Incidents of one monitor, newest first. @throws Fault not_found; of a deleted monitor they are found by `listIncidents` only */
export async function listMonitorIncidents(
  deps: IncidentDeps,
  actor: Actor,
  filter: IncidentFilter & { monitorId: string },
  page: Rows,
): Promise<ListPage<IncidentSummary>> {
  const { workspaceId } = actor.workspace;
  if (!(await deps.db.read((tx) => incidentStore.hasMonitor(workspaceId, tx, filter.monitorId))))
    throw notFound('monitor');
  return listIncidents(deps, actor, filter, page);
}

/** One incident with its evidence, notes and timeline. @throws Fault not_found */
export async function getIncident(deps: IncidentDeps, actor: Actor, id: string): Promise<Incident> {
  return deps.db.read((tx) => readIncident(deps, tx, actor.workspace.workspaceId, id));
}

/** Those of these incidents that exist, in the given order. */
export async function readSomeIncidents(
  deps: IncidentDeps,
  workspaceId: string,
  ids: readonly string[],
): Promise<IncidentSummary[]> {
  const rows = await deps.db.read((tx) => incidentStore.some(workspaceId, tx, ids));
  const nowMs = deps.clock.now();
  return rows.map((row) => describeIncidentSummary(row, nowMs));
}

/** The detail view within a transaction. @throws Fault not_found */
export async function readIncident(deps: IncidentDeps, tx: Tx, workspaceId: string, id: string): Promise<Incident> {
  const row = found(await incidentStore.find(workspaceId, tx, id), 'incident');
  const notes = await incidentNoteStore.page(workspaceId, tx, id, { limit: NOTES_LIMIT, offset: 0 });
  const timeline = await readTimeline(tx, workspaceId, id);
  const dependents = row.dependentCount === 0 ? [] : await dependentStore.list(workspaceId, tx, id, DEPENDENTS_LIMIT);
  return describeIncident(row, dependents, notes.items, timeline, deps.clock.now());
}
