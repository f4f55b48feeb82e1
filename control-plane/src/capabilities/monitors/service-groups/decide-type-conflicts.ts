import type { MonitorType } from '@watchpost/shared/monitor-types';

export interface TypedMonitor {
  id: string;
  name: string;
  monitorTypes: readonly MonitorType[];
}

export interface TypeConflict {
  type: MonitorType;
  taken: Pick<TypedMonitor, 'id' | 'name'>;
  joining: Pick<TypedMonitor, 'id' | 'name'>;
}

/**
 * The conflicts of monitors that join a group. A service group has at most one monitor per type, so at most four monitors. A
 * joining monitor conflicts with members and with other joining monitors, but not with itself.
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
