import { Fault, notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { decideTypeConflicts, type TypeConflict, type TypedMonitor } from './decide-type-conflicts.js';
import { serviceGroupStore } from './service-group-store.js';

export interface JoiningMonitor extends TypedMonitor {
  serviceGroupId: string | null;
  /** The field of the request that would be at fault. */
  path: string;
}

/**
 * Locks the groups of monitors until the transaction ends, in the order of their ids, so that transactions cannot deadlock.
 * @returns the Fault not_found or monitor_type_conflict of each that cannot join, by its id
 */
export async function findTypeFaults(
  tx: Tx,
  workspaceId: string,
  joining: readonly JoiningMonitor[],
): Promise<ReadonlyMap<string, Fault>> {
  const groups = groupBy(joining, ({ serviceGroupId }) => serviceGroupId);
  groups.delete(null);
  const faults = new Map<string, Fault>();
  for (const [groupId, monitors] of ([...groups] as [string, JoiningMonitor[]][]).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    const [group] = await serviceGroupStore.lock(workspaceId, tx, [groupId]);
    const conflicts = group
      ? decideTypeConflicts(await serviceGroupStore.members(workspaceId, tx, groupId), monitors)
      : [];
    for (const { id, path } of monitors) {
      const own = conflicts.filter((conflict) => conflict.joining.id === id);
      if (!group) faults.set(id, notFound('service group'));
      else if (own.length > 0) faults.set(id, typeConflict(own, path));
    }
  }
  return faults;
}

/** A refusal that names all conflicts. */
export function typeConflict(conflicts: readonly TypeConflict[], path: string): Fault {
  const details = conflicts.map(({ type, taken, joining }) => ({
    path,
    message: `“${joining.name}” watches ${type}, and so does “${taken.name}”`,
    monitorType: type,
    monitorId: taken.id,
  }));
  return new Fault(
    'monitor_type_conflict',
    'A service group has one monitor per type; choose another group or other types.',
    details,
  );
}
