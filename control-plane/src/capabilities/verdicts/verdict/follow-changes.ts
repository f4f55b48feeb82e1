import { checkKindsOf } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import type { MonitorChange, MonitorListener } from '../../monitors/index.js';
import { detailStore } from '../warnings/detail-store.js';
import { seriesStore } from './series-store.js';
import { verdictStore } from './verdict-store.js';

/**
 * Updates series and verdicts in the transaction that changes their monitors. A monitor that is not checked has the verdict
 * `unknown` and no health.
 */
export function resultsMonitorListener(deps: { clock: Clock }): MonitorListener {
  return async (tx, changes) => {
    for (const [workspaceId, ofWorkspace] of groupBy(changes, (change) => change.workspaceId))
      await followWorkspace(deps, tx, workspaceId, ofWorkspace);
  };
}

async function followWorkspace(
  deps: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  changes: readonly MonitorChange[],
): Promise<void> {
  const deleted = changes.filter(({ kind }) => kind === 'deleted').map(({ monitorKey }) => monitorKey);
  if (deleted.length > 0) {
    await seriesStore.remove(workspaceId, tx, deleted);
    await detailStore.forget(workspaceId, tx, deleted);
  }
  const others = new Map(
    // A rename locks no series: in a storm of incidents it would wait for the batches that hold them.
    changes
      .filter(({ kind, isRename }) => kind !== 'deleted' && !isRename)
      .map((change) => [change.monitorKey, change] as const),
  );
  if (others.size === 0) return;
  const checked = await verdictStore.checkedMonitors(workspaceId, tx, [...others.keys()]);
  const now = new Date(deps.clock.now());
  const steps = groupBy(checked, ({ isEnabled, monitorKey }) => {
    const { kind, checksChanged } = others.get(monitorKey)!;
    return !isEnabled ? 'stop' : kind === 'updated' && !checksChanged ? 'retune' : 'restart';
  });
  const [stopped, retuned, restarted] = [steps.get('stop'), steps.get('retune'), steps.get('restart')];
  if (stopped)
    await seriesStore.stop(
      workspaceId,
      tx,
      stopped.map(({ monitorKey }) => monitorKey),
      // Those of the others, which a maintenance window holds, stay open.
      stopped
        .filter(({ monitorKey }) => others.get(monitorKey)!.kind === 'stopped')
        .map(({ monitorKey }) => monitorKey),
      now,
    );
  if (retuned) await seriesStore.retune(workspaceId, tx, retuned, now);
  if (restarted) {
    const monitors = restarted.map((one) => ({ ...one, kinds: checkKindsOf(one.monitorTypes) }));
    await seriesStore.restart(workspaceId, tx, monitors, now);
  }
}

export function decideAgain(
  deps: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
): Promise<void> {
  return seriesStore.decideAgain(workspaceId, tx, monitorKeys, new Date(deps.clock.now()));
}

/** Lets the next sweep decide all monitors of a workspace again. To be called in the transaction that changes its quorum. */
export function reconsiderWorkspace(deps: { clock: Clock }, tx: Tx, workspaceId: string): Promise<void> {
  return seriesStore.reconsiderWorkspace(workspaceId, tx, new Date(deps.clock.now()));
}

/** The same for all monitors of an owner, whose plan changed and with it the regions that are checked. */
export function reconsiderOwner(deps: { clock: Clock }, tx: Tx, ownerId: string): Promise<void> {
  return seriesStore.reconsiderOwner(ownerId, tx, new Date(deps.clock.now()));
}
