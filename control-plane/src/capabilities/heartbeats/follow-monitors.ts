import type { Clock } from '@watchpost/shared/clock';
import { groupBy } from '@watchpost/shared/group-by';
import type { MonitorListener } from '../monitors/index.js';
import { heartbeatStore } from './heartbeat-store.js';

/** Follows new, paused, resumed and deleted heartbeats, in the transaction that changes them. Other monitors have no row. */
export function heartbeatsMonitorListener(deps: { clock: Clock }): MonitorListener {
  return async (tx, changes) => {
    const now = new Date(deps.clock.now());
    for (const [workspaceId, ofWorkspace] of groupBy(changes, (change) => change.workspaceId)) {
      const keysOf = (...kinds: string[]) =>
        ofWorkspace.filter(({ kind }) => kinds.includes(kind)).map(({ monitorKey }) => monitorKey);
      const [created, stopped, resumed] = [
        keysOf('created'),
        keysOf('stopped', 'deleted'),
        keysOf('resumed', 'restored'),
      ];
      if (created.length > 0) await heartbeatStore.insert(workspaceId, tx, created, now);
      if (stopped.length > 0) await heartbeatStore.stop(workspaceId, tx, stopped, now);
      if (resumed.length > 0) await heartbeatStore.countAnew(workspaceId, tx, resumed, now);
    }
  };
}
