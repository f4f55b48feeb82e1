import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import { actionGroupStore } from './action-group-store.js';
import { type AlertDeps, moveDeliveriesOfGroup } from '../../delivery/index.js';
import { auditedGroup } from './audited-group.js';
import { detachOne } from './attach-monitor.js';
import { groupUseStore } from './group-use-store.js';
import { lockActionGroup } from './describe-action-group.js';
import { type GroupTarget, requireMonitorKey } from './read-action-groups.js';

/**
 * Deletes a group and removes it from monitors and from the defaults of the workspace. Of a group of a monitor, it detaches the
 * group from that monitor, and deletes it if no other monitor and no default of the workspace uses it.
 * @throws Fault not_found, precondition_failed, validation_failed (as `detachOne`)
 */
export async function deleteActionGroup(
  deps: AlertDeps,
  actor: Actor,
  { id, type, monitorId }: GroupTarget,
): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    await groupUseStore.lockDefaults(workspaceId, tx);
    const monitorKey = await requireMonitorKey(workspaceId, tx, monitorId);
    const { group } = await lockActionGroup(deps, tx, workspaceId, id, { type, monitorKey }, 'UPDATE');
    actor.checkPrecondition?.(group);
    if (monitorKey === undefined)
      await groupUseStore.removeFromDefaults(workspaceId, tx, id, new Date(deps.clock.now()));
    else await detachOne(workspaceId, tx, id, monitorKey);
    const isKept = monitorKey !== undefined && (await groupUseStore.isUsed(workspaceId, tx, id));
    if (!isKept) {
      // What waits for an address in another group of the monitor is sent by that one.
      await moveDeliveriesOfGroup(workspaceId, tx, id);
      await actionGroupStore.remove(workspaceId, tx, id);
    }
    await recordAudit(deps, tx, actor, {
      action: isKept ? 'action_group.detached' : 'action_group.deleted',
      target: group,
      before: { ...(isKept ? {} : auditedGroup(group)), monitorId },
    });
  });
}
