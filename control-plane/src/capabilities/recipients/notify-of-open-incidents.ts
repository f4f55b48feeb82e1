import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import type { MonitorListener } from '../monitors/index.js';
import { queueEvents } from '../delivery/index.js';
import { openIncidentStore } from './open-incident-store.js';
import { anyRecipientStore } from './consent/recipient-store.js';

/**
 * Notifies a group of the open incidents of its monitors, except those that it has been notified of and those in maintenance.
 * Call it after the change of the group or its monitors: no incident opens between this and the commit, and one that opens
 * afterwards is fanned out to the changed group.
 * @param monitorKeys only those of these monitors; null: of all of the group
 */
export async function notifyOfOpenIncidents(
  deps: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  groupId: string,
  monitorKeys: readonly number[] | null,
): Promise<void> {
  await openIncidentStore.lockVerdicts(workspaceId, tx, groupId, monitorKeys);
  const atMs = deps.clock.now();
  const open = await openIncidentStore.openIncidents(workspaceId, tx, groupId, monitorKeys, new Date(atMs));
  const event = { workspaceId, type: 'incident.opened' as const, atMs, detail: { groupId } };
  await queueEvents(
    deps,
    tx,
    open.map((incident) => ({ ...event, ...incident })),
  );
}

/**
 * Notifies groups of the open incidents of monitors that are given a tag to which the groups are attached. It locks verdicts, so
 * it runs at the end of a transaction.
 */
export function notifyTaggedGroups(deps: { clock: Clock }): MonitorListener {
  return async (tx, changes) => {
    const tagged = changes.flatMap(({ workspaceId, monitorKey, addedTags = [] }) =>
      addedTags.map((tag) => ({ workspaceId, monitorKey, tag })),
    );
    for (const [workspaceId, tags] of groupBy(tagged, (one) => one.workspaceId)) {
      if (!(await openIncidentStore.lockTagged(workspaceId, tx, tags))) continue;
      const atMs = deps.clock.now();
      const open = await openIncidentStore.openOfTagged(workspaceId, tx, tags, new Date(atMs));
      const event = { workspaceId, type: 'incident.opened' as const, atMs };
      await queueEvents(
        deps,
        tx,
        open.map(({ groupId, ...incident }) => ({ ...event, ...incident, detail: { groupId } })),
      );
    }
  };
}

/** The same for all groups that contain a recipient who has just confirmed. */
export async function notifyConfirmed(deps: { clock: Clock }, tx: Tx, recipientId: string): Promise<void> {
  for (const { workspaceId, groupId } of await anyRecipientStore.groupsOf(tx, recipientId))
    await notifyOfOpenIncidents(deps, tx, workspaceId, groupId, null);
}
