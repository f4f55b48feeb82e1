import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { describeConfiguration } from './describe-monitor.js';
import type { MonitorDeps } from './monitor-deps.js';
import { monitorStore, settingsOf } from './monitor-store.js';
import { changedMonitor, storeMonitors } from './update-monitor.js';

async function list(tx: Tx, workspaceId: string, slug: string): Promise<{ id: string; name: string }[]> {
  return monitorStore.atLocation(workspaceId, tx, slug);
}

/**
 * Takes a private location out of these monitors. One that nothing else checks is paused, because from the home region a
 * private address only looks down.
 */
async function takeOut(deps: MonitorDeps, tx: Tx, actor: Actor, slug: string, ids: readonly string[]): Promise<void> {
  const { workspaceId } = actor.workspace;
  const nowMs = deps.clock.now();
  const changed = (await monitorStore.lockAll(workspaceId, tx, ids)).map((row) => {
    const { homeRegion, enabledRegions, monitoringStatus } = row;
    const privateLocations = row.privateLocations.filter((own) => own !== slug);
    const isLeft = homeRegion || enabledRegions.length + privateLocations.length > 0;
    const settings = {
      ...settingsOf(row),
      privateLocations,
      homeRegion: homeRegion || privateLocations.length === 0,
      monitoringStatus: isLeft || monitoringStatus !== 'enabled' ? monitoringStatus : ('paused' as const),
    };
    const { written, change } = changedMonitor(workspaceId, row, settings, isLeft, nowMs);
    return { row, change, written };
  });
  await storeMonitors(deps, tx, actor, changed);
  const audited = changed.map(({ row, written }) => ({
    workspaceId,
    action: 'monitor.updated' as const,
    target: { id: row.id, name: row.name },
    before: describeConfiguration({ ...row, workspaceId }),
    after: describeConfiguration({ ...written, workspaceId }),
  }));
  await recordAudit(deps, tx, actor, ...audited);
}

/** The monitors of a private location, for those who change or remove it. */
export const monitorsAtLocation = { list, takeOut };
