import type { Clock } from '@watchpost/shared/clock';
import { groupBy } from '@watchpost/shared/group-by';
import type { Tx } from '../../platform/db/database.js';
import type { MonitorListener } from '../monitors/index.js';
import { addTimelineEntries } from '../timeline/index.js';
import { pagingStore } from './paging-store.js';

/** Has the paging of open incidents follow monitors that now page other teams. */
export function pagingMonitorListener(deps: { clock: Clock }): MonitorListener {
  return async (tx, changes) => {
    const moved = changes.filter(({ kind, isRename }) => kind === 'updated' && !isRename);
    for (const [workspaceId, ofOne] of groupBy(moved, (change) => change.workspaceId)) {
      const monitorKeys = ofOne.map(({ monitorKey }) => monitorKey);
      await followRouting(deps, tx, workspaceId, monitorKeys);
    }
  };
}

/** Has paging follow changes of the teams that are paged. */
export function pagingOfTeams({ clock }: { clock: Clock }) {
  return {
    /** A service group was routed to a team, or is not any more. */
    async routed(tx: Tx, workspaceId: string, serviceGroupId: string): Promise<void> {
      const monitorKeys = await pagingStore.monitorsOfGroup(workspaceId, tx, serviceGroupId);
      await followRouting({ clock }, tx, workspaceId, monitorKeys);
    },
    /** A team is going to be deleted, and its paging with it. */
    async goes(tx: Tx, workspaceId: string, { id, name }: { id: string; name: string }): Promise<void> {
      const reason = `${name} has been deleted, and pages nobody any more.`;
      const detail = { teamId: id, team: name, reason };
      const incidentIds = await pagingStore.pagedBy(workspaceId, tx, id);
      const event = { type: 'notification_failed', atMs: clock.now(), detail } as const;
      await addTimelineEntries(
        tx,
        incidentIds.map((incidentId) => ({ workspaceId, incidentId, event })),
      );
    },
  };
}

/** Ends the paging of teams that monitors do not page any more, and begins that of those which they page now. */
async function followRouting(
  { clock }: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
): Promise<void> {
  const now = new Date(clock.now());
  await pagingStore.endUnrouted(workspaceId, tx, monitorKeys, now);
  const open = await pagingStore.unacknowledged(workspaceId, tx, monitorKeys);
  if (open.length > 0) await pagingStore.begin(tx, open, now, 'idle');
}
