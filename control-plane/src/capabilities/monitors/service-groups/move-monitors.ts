import { Fault, invalidField, notFound } from '@watchpost/shared/fault';
import { recordAudit } from '../../audit/index.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { type MonitorChange, type MonitorDeps, notifyListeners } from '../monitor-deps.js';
import { decideTypeConflicts } from './decide-type-conflicts.js';
import { deletedGroup, memberChanges } from './audited-group-changes.js';
import { buryGroup, idOf, subject } from './delete-service-group.js';
import { describeFoundGroup } from './describe-service-group.js';
import { typeConflict } from './find-type-faults.js';
import type { MoveMonitorsInput, ServiceGroupView } from './service-group-schemas.js';
import { membershipStore, serviceGroupStore } from './service-group-store.js';
import { serviceGroupViewStore } from './service-group-view-store.js';

export interface MovedMonitors {
  /** null where the source was deleted because it became empty. */
  source: ServiceGroupView | null;
  target: ServiceGroupView;
}

/**
 * Moves monitors from one group to another, all or none. Their checks continue unchanged.
 * @throws Fault validation_failed, not_found (a group, or a monitor that is not in the source), monitor_type_conflict
 */
export async function moveMonitors(
  deps: MonitorDeps,
  actor: Actor,
  sourceId: string,
  input: MoveMonitorsInput,
): Promise<MovedMonitors> {
  const { workspaceId } = actor.workspace;
  const { monitorIds, targetServiceGroupId: targetId } = input;
  if (sourceId === targetId)
    throw invalidField('targetServiceGroupId', 'must be another group than the one that the monitors are in');
  return deps.db.transaction(async (tx) => {
    const groups = await serviceGroupStore.lock(workspaceId, tx, [sourceId, targetId]);
    const source = groups.find(({ id }) => id === sourceId);
    if (!source || groups.length < 2) throw notFound('service group');
    const members = await serviceGroupStore.lockMembers(workspaceId, tx, sourceId);
    const moving = members.filter(({ id }) => monitorIds.includes(id));
    if (moving.length < monitorIds.length) throw notInGroup(monitorIds, moving);
    const present = await serviceGroupStore.members(workspaceId, tx, targetId);
    const conflicts = decideTypeConflicts(present, moving);
    if (conflicts.length > 0) throw typeConflict(conflicts, 'monitorIds');
    const now = new Date(deps.clock.now());
    await membershipStore.assign(workspaceId, tx, moving.map(idOf), now, targetId);
    const isDeleted = moving.length === members.length && input.deleteSourceIfEmpty;
    if (isDeleted) await buryGroup(tx, workspaceId, source, now);
    await recordAudit(
      deps,
      tx,
      actor,
      ...memberChanges(workspaceId, moving, {
        action: 'monitor.updated',
        before: { serviceGroupId: sourceId },
        after: { serviceGroupId: targetId },
      }),
      ...(isDeleted ? [deletedGroup(workspaceId, source)] : []),
    );
    const changes = moving.map((member): MonitorChange => {
      return { ...subject(workspaceId, member), kind: 'updated', checksChanged: false };
    });
    await notifyListeners(deps, tx, changes);
    const view = async (id: string) =>
      describeFoundGroup(await serviceGroupViewStore.find(workspaceId, tx, id), deps.clock.now());
    return {
      source: isDeleted ? null : await view(sourceId),
      target: await view(targetId),
    };
  });
}

function notInGroup(asked: readonly string[], found: readonly { id: string }[]): Fault {
  const details = asked.flatMap((id, index) =>
    found.some((monitor) => monitor.id === id)
      ? []
      : [{ path: `monitorIds.${index}`, message: 'is not a monitor of this service group' }],
  );
  return new Fault('not_found', 'Not all of these monitors are in this service group; none was moved.', details);
}
