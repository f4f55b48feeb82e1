import type { IncidentType } from '@watchpost/shared/incident-types';
import type { Database, Tx } from '../../platform/db/database.js';
import { sendTogether } from '../../platform/db/send-together.js';
import type { ChangeAuthor } from '../audit/index.js';
import { applyIncidentCommands, type ApplyDeps } from './apply-incident-commands.js';
import type { CurrentIncident, FailurePath, IncidentCommand } from './incident-commands.js';
import type { SecondOpinion } from './incident-evidence-schemas.js';
import { originOf } from './decide-incident-change.js';
import { dependentStore } from './dependent-store.js';
import { erasedIncidentStore } from './incident-store.js';
import { verdictIncidentStore } from './verdict-incident-store.js';

/** Incidents per transaction, with their timelines and notes. */
const BATCH = 200;

// What other capabilities read and change of the incidents of monitors, in their own transactions.

/** The newest incident of each of these monitors and incident types, open or closed. */
export function currentIncidents(tx: Tx, monitorKeys: readonly number[]): Promise<CurrentIncident[]> {
  return verdictIncidentStore.current(tx, monitorKeys);
}

/**
 * Locks those of them that are open, so that nobody closes one between the decision on it and the change: a failure that
 * would have continued it needs an incident of its own then. The verdicts of the monitors are locked: no other one opens.
 * @returns what they are now
 */
export async function lockOpenIncidents(
  tx: Tx,
  monitorKeys: readonly number[],
  incidents: readonly CurrentIncident[],
): Promise<readonly CurrentIncident[]> {
  const open = incidents.filter(({ isClosed }) => !isClosed).map(({ id }) => id);
  if (open.length === 0) return incidents;
  const [, locked] = await sendTogether(verdictIncidentStore.lock(tx, open), currentIncidents(tx, monitorKeys));
  return locked;
}

/** When each of these incidents recovered or was closed, ms since the epoch; without those that go on or are erased. */
export async function readIncidentEnds(tx: Tx, incidentIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await verdictIncidentStore.ends(tx, incidentIds);
  return new Map(rows.map(({ id, endedMs }) => [id, endedMs]));
}

export type MonitorEnding = 'paused' | 'disabled' | 'deleted';

/** Closes the open incidents of monitors that cease to be checked; their failures are no longer attached to others. */
export async function closeIncidentsOfMonitors(
  deps: ApplyDeps,
  tx: Tx,
  { workspaceId, monitorKeys }: { workspaceId: string; monitorKeys: readonly number[] },
  cause: { ending: MonitorEnding; author: ChangeAuthor },
): Promise<void> {
  const atMs = deps.clock.now();
  await dependentStore.endAll(workspaceId, tx, monitorKeys, new Date(atMs));
  const open = await verdictIncidentStore.openOf(workspaceId, tx, monitorKeys);
  const closing = closingEvent(cause, atMs);
  const commands = open.map(({ id }): IncidentCommand => ({
    kind: 'stop',
    workspaceId,
    incidentId: id,
    atMs,
    closing,
  }));
  await applyIncidentCommands(deps, tx, commands);
}

function closingEvent({ ending, author }: { ending: MonitorEnding; author: ChangeAuthor }, atMs: number) {
  // The service itself pauses monitors only for this.
  const why = ending === 'paused' && author === 'system' ? ': the plan covers fewer monitors' : '';
  const detail = { automatic: true, reason: `The monitor was ${ending}${why}.` };
  const event = { type: 'closed' as const, atMs, detail };
  if (typeof author === 'string') return event;
  return { ...event, detail: { ...detail, ...originOf(author.via) }, actorId: author.caller.userId };
}

/** Adds a confirming run that ended after the incident had opened to its evidence. No effect without an open incident. */
export function addSecondOpinion(
  tx: Tx,
  monitorKey: number,
  incidentType: IncidentType,
  opinion: SecondOpinion,
): Promise<void> {
  return verdictIncidentStore.addToContext(tx, monitorKey, incidentType, 'secondOpinions', opinion);
}

/** Adds paths that were traced after the incident had opened to its evidence. No effect without an open incident. */
export function addFailurePaths(tx: Tx, paths: readonly FailurePath[]): Promise<void> {
  return verdictIncidentStore.addPaths(tx, paths);
}

/** Erases the incidents of these monitors with evidence, timelines and notes, in batches. */
export async function eraseIncidents({ db }: { db: Database }, monitorKeys: readonly number[]): Promise<void> {
  while ((await db.transaction((tx) => erasedIncidentStore.erase(tx, monitorKeys, BATCH))) === BATCH);
}
