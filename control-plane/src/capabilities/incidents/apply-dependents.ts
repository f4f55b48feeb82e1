import type { Tx } from '../../platform/db/database.js';
import { dependentStore } from './dependent-store.js';
import type { IncidentCommand, OpenedIncident } from './incident-commands.js';
import { addTimelineEntries } from '../timeline/index.js';

type AttachCommand = Extract<IncidentCommand, { kind: 'attach' }>;
type DetachCommand = Extract<IncidentCommand, { kind: 'detach' }>;

/** Attaches failures to the incidents that explain them: on the timeline, with their evidence, and nobody is notified. */
export async function attachDependents(tx: Tx, commands: readonly AttachCommand[]): Promise<void> {
  if (commands.length === 0) return;
  const rows = commands.map(({ kind: _, atMs, ...row }) => ({ ...row, at: new Date(atMs) }));
  const added = new Set((await dependentStore.attach(tx, rows)).map(nameOf));
  await addTimelineEntries(
    tx,
    commands
      .filter((command) => added.has(nameOf(command)))
      .map(({ workspaceId, incidentId, monitorId, monitorName, severity, regions, failureReason, atMs }) => ({
        workspaceId,
        incidentId,
        event: {
          type: 'dependent_failed',
          atMs,
          detail: { monitorId, monitorName, severity, regions, message: failureReason },
        },
      })),
  );
}

/** Ends the attachment of failures that recovered, or became the incidents that have just opened. */
export async function detachDependents(
  tx: Tx,
  commands: readonly DetachCommand[],
  opened: readonly OpenedIncident[],
): Promise<void> {
  if (commands.length === 0) return;
  const own = new Map(
    opened.map(({ monitorKey, incidentType, incidentId }) => [`${monitorKey} ${incidentType}`, incidentId]),
  );
  await dependentStore.detach(
    tx,
    commands.map(({ incidentId, monitorKey, incidentType, atMs, ownIncidentId }) => ({
      incidentId,
      monitorKey,
      at: new Date(atMs),
      ownIncidentId: ownIncidentId ?? own.get(`${monitorKey} ${incidentType}`) ?? null,
    })),
  );
}

function nameOf({ incidentId, monitorKey }: { incidentId: string; monitorKey: number }): string {
  return `${incidentId} ${monitorKey}`;
}
