import type { Tx } from '../../platform/db/database.js';
import type { IncidentCommand } from './incident-commands.js';
import { verdictIncidentStore } from './verdict-incident-store.js';
import { applyIncidentCommands, type ApplyDeps } from './apply-incident-commands.js';

/** Closes the open incidents of a monitor that is paused, disabled or deleted. */
export async function closeIncidentsOfMonitor(
  deps: ApplyDeps,
  tx: Tx,
  monitor: { workspaceId: string; monitorKey: number },
  reason: string,
): Promise<void> {
  const atMs = deps.clock.now();
  const open = await verdictIncidentStore.openOf(monitor.workspaceId, tx, monitor.monitorKey);
  const commands = open.map(({ id }): IncidentCommand => ({
    kind: 'stop',
    workspaceId: monitor.workspaceId,
    incidentId: id,
    atMs,
    reason,
  }));
  await applyIncidentCommands(deps, tx, commands);
}
