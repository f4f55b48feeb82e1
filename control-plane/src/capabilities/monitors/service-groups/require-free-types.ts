import { Fault, notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { decideTypeConflicts, type TypeConflict, type TypedMonitor } from './decide-type-conflicts.js';
import { serviceGroupStore } from './service-group-store.js';

/**
 * Locks a group until the transaction ends, and refuses monitors with a type that another member or one of them already has.
 * @param path the field of the request that is at fault
 * @throws Fault not_found, monitor_type_conflict
 */
export async function requireFreeTypes(
  tx: Tx,
  workspaceId: string,
  groupId: string,
  joining: readonly TypedMonitor[],
  path: string,
): Promise<void> {
  const [group] = await serviceGroupStore.lock(workspaceId, tx, [groupId]);
  if (!group) throw notFound('service group');
  const members = await serviceGroupStore.members(workspaceId, tx, groupId);
  requireNoConflict(decideTypeConflicts(members, joining), path);
}

/** Monitors by the group that they join, in the order in which groups are locked, so that transactions cannot deadlock. */
export function groupsInOrder<Monitor extends { serviceGroupId: string | null }>(
  joining: readonly Monitor[],
): [groupId: string, monitors: Monitor[]][] {
  const groups = groupBy(joining, ({ serviceGroupId }) => serviceGroupId);
  groups.delete(null);
  return ([...groups] as [string, Monitor[]][]).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** @throws Fault monitor_type_conflict naming all conflicts */
export function requireNoConflict(conflicts: readonly TypeConflict[], path: string): void {
  if (conflicts.length === 0) return;
  const details = conflicts.map(({ type, taken, joining }) => ({
    path,
    message: `“${joining.name}” watches ${type}, and so does “${taken.name}”`,
    monitorType: type,
    monitorId: taken.id,
  }));
  throw new Fault(
    'monitor_type_conflict',
    'A service group has one monitor per type; choose another group or other types.',
    details,
  );
}
