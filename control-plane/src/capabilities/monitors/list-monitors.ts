import { keptStatements } from '../../platform/db/kept-statements.js';
import type { Actor } from '../../platform/identity/caller.js';
import { describeMonitor } from './describe-monitor.js';
import type { MonitorReadDeps } from './monitor-deps.js';
import type { MonitorView } from './monitor-schemas.js';
import { type MonitorFilter, monitorViewStore } from './monitor-view-store.js';

/** Monitors of the workspace, newest first. */
export async function listMonitors(
  deps: MonitorReadDeps,
  actor: Actor,
  filter: MonitorFilter,
  page: { limit: number; offset: number },
): Promise<{ items: MonitorView[]; total: number }> {
  const nowMs = deps.clock.now();
  const { rows, total } = await deps.db.read((tx) =>
    monitorViewStore.page(actor.workspace.workspaceId, keptStatements(tx), filter, new Date(nowMs), page),
  );
  return { items: rows.map((row) => describeMonitor(row, nowMs)), total };
}
