import { invalidField, notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/tx.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import type { ActionGroup } from './action-group.js';
import { actionGroupStore } from './action-group-store.js';
import type { AlertDeps } from '../../delivery/index.js';
import { describeActionGroup, lockActionGroup } from './describe-action-group.js';
import { groupUseStore } from './group-use-store.js';
import { notifyOfOpenIncidents } from '../notify-of-open-incidents.js';

export interface Attachment {
  id: string;
  monitorId: string;
}

/** Attaches a group to a monitor, and notifies it of what is open; repeating it changes nothing. @throws Fault not_found */
export async function attachMonitor(
  deps: Pick<AlertDeps, 'db' | 'clock' | 'recipientVerification'>,
  actor: Actor,
  { id, monitorId }: Attachment,
): Promise<ActionGroup> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    await lockActionGroup(deps, tx, workspaceId, id);
    const monitorKey = await groupUseStore.lockMonitor(workspaceId, tx, monitorId);
    if (monitorKey === undefined) throw notFound('monitor');
    const isNew = await groupUseStore.attach(workspaceId, tx, id, monitorKey, new Date(deps.clock.now()));
    if (isNew) await notifyOfOpenIncidents(deps, tx, workspaceId, id, monitorKey);
    const group = describeActionGroup(await actionGroupStore.find(workspaceId, tx, id), deps);
    if (!isNew) return group;
    await recordAudit(deps, tx, actor, { action: 'action_group.attached', target: group, after: { monitorId } });
    return group;
  });
}

/**
 * Detaches a group from a monitor.
 * @param detach default: it refuses where the group would stay attached by its `attachTo`
 * @throws Fault not_found, precondition_failed
 */
export async function detachMonitor(
  deps: Pick<AlertDeps, 'db' | 'clock' | 'recipientVerification'>,
  actor: Actor,
  { id, monitorId }: Attachment,
  detach = detachOne,
): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const { group } = await lockActionGroup(deps, tx, workspaceId, id);
    const monitorKey = await groupUseStore.monitorKey(workspaceId, tx, monitorId);
    if (monitorKey === undefined || !(await detach(workspaceId, tx, id, monitorKey)))
      throw notFound('monitor with this action group');
    actor.checkPrecondition?.(group);
    await recordAudit(deps, tx, actor, { action: 'action_group.detached', target: group, before: { monitorId } });
  });
}

/** @returns whether the group was attached to the monitor. @throws Fault validation_failed where `attachTo` attaches it */
export async function detachOne(workspaceId: string, tx: Tx, id: string, monitorKey: number): Promise<boolean> {
  const wasAttached = await groupUseStore.detach(workspaceId, tx, id, monitorKey);
  if (await groupUseStore.isAttached(workspaceId, tx, id, monitorKey))
    throw invalidField('attachTo', 'attaches the action group to this monitor: change it, or the tags of the monitor');
  return wasAttached;
}
