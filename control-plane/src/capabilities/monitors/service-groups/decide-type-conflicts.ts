import type { MonitorType } from '@watchpost/shared/check';

export interface TypedMonitor {
  id: string;
  name: string;
  monitorTypes: readonly MonitorType[];
}

export interface TypeConflict {
  type: MonitorType;
  /** Who has the type already. */
  taken: Pick<TypedMonitor, 'id' | 'name'>;
  joining: Pick<TypedMonitor, 'id' | 'name'>;
}

/**
 * A service group watches each type with one monitor at most, so it has at most four: what of those that are
 * to join is watched already, by who is in it or by another that joins. Who joins again conflicts with nobody.
 */
export function decideTypeConflicts(
  members: readonly TypedMonitor[],
  joining: readonly TypedMonitor[],
): TypeConflict[] {
  const joins = new Set(joining.map(({ id }) => id));
  const watched = new Map<MonitorType, TypedMonitor>();
  for (const member of members) {
    if (!joins.has(member.id)) for (const type of member.monitorTypes) watched.set(type, member);
  }
  const conflicts: TypeConflict[] = [];
  for (const monitor of joining) {
    for (const type of new Set(monitor.monitorTypes)) {
      const taken = watched.get(type);
      if (taken) conflicts.push({ type, taken, joining: monitor });
      else watched.set(type, monitor);
    }
  }
  return conflicts;
}
