import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { checkKindsOf, type MonitorListener } from '../../monitors/index.js';
import { detailStore } from '../warnings/detail-store.js';
import { seriesStore } from './series-store.js';
import { verdictStore } from './verdict-store.js';

/**
 * Updates series and verdicts in the transaction that changes their monitor. A monitor that is not checked has the verdict
 * `unknown` and no health.
 */
export function resultsMonitorListener(deps: { clock: Clock }): MonitorListener {
  return async (tx, { kind, workspaceId, monitorKey, checksChanged }) => {
    if (kind === 'deleted') {
      await seriesStore.remove(workspaceId, tx, monitorKey);
      return detailStore.forget(workspaceId, tx, monitorKey);
    }
    const monitor = await verdictStore.checkedMonitor(workspaceId, tx, monitorKey);
    if (!monitor) return;
    const now = new Date(deps.clock.now());
    if (!monitor.isEnabled) return seriesStore.stop(workspaceId, tx, monitorKey, now);
    if (kind === 'updated' && !checksChanged) return seriesStore.retune(workspaceId, tx, monitor, now);
    return seriesStore.restart(workspaceId, tx, { ...monitor, kinds: checkKindsOf(monitor.monitorTypes) }, now);
  };
}

/** Lets the next sweep decide all monitors of a workspace again. To be called in the transaction that changes its quorum. */
export function reconsiderWorkspace(deps: { clock: Clock }, tx: Tx, workspaceId: string): Promise<void> {
  return seriesStore.reconsiderWorkspace(workspaceId, tx, new Date(deps.clock.now()));
}

/** The same for all monitors of an owner, whose plan changed and with it the regions that are checked. */
export function reconsiderOwner(deps: { clock: Clock }, tx: Tx, ownerId: string): Promise<void> {
  return seriesStore.reconsiderOwner(ownerId, tx, new Date(deps.clock.now()));
}
