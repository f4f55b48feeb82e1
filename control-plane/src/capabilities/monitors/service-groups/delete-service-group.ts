import { laterThan } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { announceChange, type MonitorChange, type MonitorDeps, notifyListeners } from '../monitor-deps.js';
import { deletedGroup, memberChanges } from './audited-group-changes.js';
import { describeFoundGroup } from './describe-service-group.js';
import type { CheckGroup } from './rename-service-group.js';
import {
  type MemberRow,
  membershipStore,
  serviceGroupStore,
  type ServiceGroupRow,
  sharedMonitorStore,
} from './service-group-store.js';
import { serviceGroupViewStore } from './service-group-view-store.js';

/** A deleted group can be restored for this time. */
const RESTORABLE_MS = 90 * 86_400_000;

/**
 * Deletes a group with its monitors, which are no longer checked and whose incidents close. Both can be restored for 90
 * days. A monitor that a status page shows on its own is shared and continues without a group.
 * @throws Fault not_found, precondition_failed
 */
export async function deleteServiceGroup(
  deps: MonitorDeps,
  actor: Actor,
  id: string,
  checkPrecondition: CheckGroup = () => {},
): Promise<void> {
  const { workspaceId } = actor.workspace;
  const changes = await deps.db.transaction(async (tx) => {
    const [row] = await serviceGroupStore.lock(workspaceId, tx, [id]);
    if (!row) throw notFound('service group');
    checkPrecondition(describeFoundGroup(await serviceGroupViewStore.find(workspaceId, tx, id), deps.clock.now()));
    const members = await serviceGroupStore.lockMembers(workspaceId, tx, id);
    // Read after locking the monitors, so that no status page can begin to show one of them meanwhile.
    const shared = await sharedMonitorStore.among(workspaceId, tx, members.map(idOf));
    const own = members.filter((member) => !shared.has(member.id));
    const now = new Date(deps.clock.now());
    await membershipStore.assign(workspaceId, tx, [...shared], now, null);
    await membershipStore.bury(workspaceId, tx, own.map(idOf), now, id);
    await buryGroup(tx, workspaceId, row, now);
    const before = { serviceGroupId: id };
    const after = { serviceGroupId: null };
    const left = members.filter((member) => shared.has(member.id));
    await recordAudit(
      deps,
      tx,
      actor,
      deletedGroup(workspaceId, row),
      ...memberChanges(workspaceId, own, { action: 'monitor.deleted', before, after }),
      ...memberChanges(workspaceId, left, { action: 'monitor.updated', before, after }),
    );
    const changes = members.map((member): MonitorChange => {
      const isDeleted = !shared.has(member.id);
      return { ...subject(workspaceId, member), kind: isDeleted ? 'deleted' : 'updated', checksChanged: isDeleted };
    });
    await notifyListeners(deps, tx, changes, actor);
    return changes;
  });
  for (const change of changes) if (change.kind === 'deleted') announceChange(deps, change);
}

/** Marks the group as deleted, without regard to its members. */
export async function buryGroup(tx: Tx, workspaceId: string, row: ServiceGroupRow, now: Date): Promise<void> {
  await serviceGroupStore.update(workspaceId, tx, {
    ...row,
    deletedAt: now,
    purgeAt: new Date(now.getTime() + RESTORABLE_MS),
    lastModified: laterThan(row.lastModified, now.getTime()),
  });
}

export function idOf({ id }: { id: string }): string {
  return id;
}

export function subject(workspaceId: string, { id, key }: MemberRow): Omit<MonitorChange, 'kind' | 'checksChanged'> {
  return { workspaceId, monitorId: id, monitorKey: key };
}
