import { notFound } from '@watchpost/shared/fault';
import type { Actor } from '../../platform/identity/caller.js';
import type { MonitorReadDeps } from './monitor-deps.js';
import { monitorNameStore } from './monitor-name-store.js';

/** What a monitor is called and what it watches: for answers about it that need no more. @throws Fault not_found */
export async function readMonitorName(
  deps: Pick<MonitorReadDeps, 'db'>,
  actor: Actor,
  id: string,
): Promise<{ name: string; url: string | null }> {
  const monitor = await deps.db.read((tx) => monitorNameStore.find(actor.workspace.workspaceId, tx, id));
  if (!monitor) throw notFound('monitor');
  return monitor;
}
