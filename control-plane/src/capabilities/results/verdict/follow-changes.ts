import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { checkKindsOf, type MonitorListener } from '../../monitors/index.js';
import { detailStore } from '../warnings/detail-store.js';
import { seriesStore } from './series-store.js';
import { verdictStore } from './verdict-store.js';

/**
 * Keeps series and verdicts in step with their monitors, in the transaction that changes the monitor. A
 * monitor that is not checked has the verdict `unknown` and no health: the last one would be a guess, and
 * grow older by the minute.
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

/** To be called in the transaction that changes a workspace's quorum: the next sweep decides all its monitors again. */
export function reconsiderWorkspace(deps: { clock: Clock }, tx: Tx, workspaceId: string): Promise<void> {
  return seriesStore.reconsiderWorkspace(workspaceId, tx, new Date(deps.clock.now()));
}

/** The same for all that an account owns: its plan changed, and with it the regions that are run. */
export function reconsiderOwner(deps: { clock: Clock }, tx: Tx, ownerId: string): Promise<void> {
  return seriesStore.reconsiderOwner(ownerId, tx, new Date(deps.clock.now()));
}
