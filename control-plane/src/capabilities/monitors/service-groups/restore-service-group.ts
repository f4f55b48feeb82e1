import { laterThan } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import { recordAudit } from '../../audit/index.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { lockWorkspaceEntitlements, requireWithinLimit } from '../../plans/index.js';
import { announceChange, type MonitorChange, type MonitorDeps, notifyListeners } from '../monitor-deps.js';
import { monitorStore } from '../monitor-store.js';
import { groupChange, memberChanges } from './audited-group-changes.js';
import { idOf, subject } from './delete-service-group.js';
import { describeFoundGroup } from './describe-service-group.js';
import type { ServiceGroupView } from './service-group-schemas.js';
import { membershipStore, serviceGroupStore } from './service-group-store.js';
import { serviceGroupViewStore } from './service-group-view-store.js';

/**
 * Restores a deleted group with the monitors deleted with it, whose checks are due at once. They count towards the plan's
 * limit again; the restoration is refused as a whole if they exceed it.
 * @throws Fault not_found, also where it is not deleted or can no longer be restored; plan_limit_exceeded
 */
export async function restoreServiceGroup(deps: MonitorDeps, actor: Actor, id: string): Promise<ServiceGroupView> {
  const { workspaceId } = actor.workspace;
  const restored = await deps.db.transaction(async (tx) => {
    const entitlements = await lockWorkspaceEntitlements(tx, workspaceId);
    const nowMs = deps.clock.now();
    const now = new Date(nowMs);
    const row = await serviceGroupStore.lockDeleted(workspaceId, tx, id, now);
    if (!row) throw notFound('deleted service group');
    const members = await serviceGroupStore.lockBuried(workspaceId, tx, id);
    if (members.length > 0) {
      const count = await monitorStore.countOfOwner(entitlements.ownerId, tx);
      requireWithinLimit(entitlements, 'monitors', count + members.length);
    }
    const lastModified = laterThan(row.lastModified, nowMs);
    await serviceGroupStore.update(workspaceId, tx, { ...row, deletedAt: null, purgeAt: null, lastModified });
    await membershipStore.unbury(workspaceId, tx, members.map(idOf), now);
    await recordAudit(
      deps,
      tx,
      actor,
      groupChange(workspaceId, row, {
        action: 'service_group.restored',
        before: { deletedAt: row.deletedAt?.toISOString() },
        after: { deletedAt: null },
      }),
      ...memberChanges(workspaceId, members, {
        action: 'monitor.restored',
        before: { serviceGroupId: null },
        after: { serviceGroupId: id },
      }),
    );
    const changes = members.map((member): MonitorChange => ({
      ...subject(workspaceId, member),
      kind: 'restored',
      checksChanged: true,
    }));
    await notifyListeners(deps, tx, changes);
    return {
      changes,
      view: describeFoundGroup(await serviceGroupViewStore.find(workspaceId, tx, id), deps.clock.now()),
    };
  });
  for (const change of restored.changes) announceChange(deps, change);
  return restored.view;
}
