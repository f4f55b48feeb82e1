import type { Clock } from '@watchpost/shared/clock';
import { groupBy } from '@watchpost/shared/group-by';
import type { MonitorListener } from '../monitors/index.js';
import { pagingStore } from './paging-store.js';

/** Has the paging of open incidents follow monitors that now page other teams. */
export function pagingMonitorListener({ clock }: { clock: Clock }): MonitorListener {
  return async (tx, changes) => {
    const moved = changes.filter(({ kind, isRename }) => kind === 'updated' && !isRename);
    for (const [workspaceId, ofOne] of groupBy(moved, (change) => change.workspaceId)) {
      const monitorKeys = ofOne.map(({ monitorKey }) => monitorKey);
      await pagingStore.endUnrouted(workspaceId, tx, monitorKeys, new Date(clock.now()));
    }
  };
}
