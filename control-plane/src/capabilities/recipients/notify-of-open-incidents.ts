import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../platform/db/database.js';
import { queueEvents } from '../delivery/index.js';
import { openIncidentStore } from './open-incident-store.js';
import { anyRecipientStore } from './consent/recipient-store.js';

/**
 * Notifies a group of the open incidents of its monitors, except those that it has been notified of and those in maintenance.
 * Call it after the change of the group or its monitors: no incident opens between this and the commit, and one that opens
 * afterwards is fanned out to the changed group.
 * @param monitorKey only those of this monitor; null: of all of the group
 */
export async function notifyOfOpenIncidents(
  deps: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  groupId: string,
  monitorKey: number | null,
): Promise<void> {
  await openIncidentStore.lockVerdicts(workspaceId, tx, groupId, monitorKey);
  const atMs = deps.clock.now();
  const open = await openIncidentStore.openIncidents(workspaceId, tx, groupId, monitorKey, new Date(atMs));
  const event = { workspaceId, type: 'incident.opened' as const, atMs, detail: { groupId } };
  await queueEvents(
    deps,
    tx,
    open.map((incident) => ({ ...event, ...incident })),
  );
}

/** The same for all groups that contain a recipient who has just confirmed. */
export async function notifyConfirmed(deps: { clock: Clock }, tx: Tx, recipientId: string): Promise<void> {
  for (const { workspaceId, groupId } of await anyRecipientStore.groupsOf(tx, recipientId))
    await notifyOfOpenIncidents(deps, tx, workspaceId, groupId, null);
}
