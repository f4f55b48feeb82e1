import type { Tx } from '../../platform/db/database.js';
import { type MonitorDeps, notifyListeners } from './monitor-deps.js';
import { monitorStore } from './monitor-store.js';

/**
 * Holds the checks of monitors, so that no agent runs them, or releases them, and they are due at once. Their incidents stay
 * as they are. The caller wakes the assignment of checks after the commit.
 */
export async function holdChecks(
  deps: Pick<MonitorDeps, 'clock' | 'listeners'>,
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  isHeld: boolean,
): Promise<void> {
  const changed = await monitorStore.hold(workspaceId, tx, monitorKeys, isHeld, new Date(deps.clock.now()));
  const kind = isHeld ? ('held' as const) : ('released' as const);
  await notifyListeners(
    deps,
    tx,
    changed
      .filter(({ isEnabled }) => isEnabled)
      .map(({ id, key }) => ({ kind, monitorKey: key, monitorId: id, workspaceId, checksChanged: !isHeld })),
  );
}
