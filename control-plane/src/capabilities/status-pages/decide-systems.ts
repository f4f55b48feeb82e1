import type { FaultDetail } from '@watchpost/shared/fault';
import type { GroupsInput, SystemInput } from './status-page-schemas.js';
import type { SystemRow } from './status-page-store.js';

export interface DecidedSystems {
  systems: SystemRow[];
  faults: FaultDetail[];
}

type Target = { monitorId?: string | null | undefined; serviceGroupId?: string | null | undefined };
const targetOf = ({ monitorId, serviceGroupId }: Target) => monitorId ?? serviceGroupId ?? '';

/**
 * The systems of a status page after a change of its groups. Posts refer to systems by id, so a system keeps its id: the id
 * in the request, or the id of the system that showed the same thing before.
 */
export function decideSystems(groups: GroupsInput, before: readonly SystemRow[], newId: () => string): DecidedSystems {
  const known = new Set(before.map(({ id }) => id));
  const given = groups.flatMap(({ systems }) => systems.flatMap(({ id }) => id ?? []));
  const free = new Map<string, string[]>();
  for (const row of before) {
    if (!given.includes(row.id)) free.set(targetOf(row), [...(free.get(targetOf(row)) ?? []), row.id]);
  }
  const faults: FaultDetail[] = [];
  const seen = new Set<string>();
  const shown = new Set<string>();
  const place = (system: SystemInput, groupIndex: number, index: number): SystemRow => {
    const path = `groups.${groupIndex}.systems.${index}.id`;
    if (system.id !== undefined) {
      if (!known.has(system.id))
        faults.push({ path, message: 'is not a system of this page; leave it out for a new one' });
      else if (seen.has(system.id)) faults.push({ path, message: 'is already the id of another system of the page' });
      seen.add(system.id);
    }
    if (shown.has(targetOf(system))) {
      const field = system.monitorId ? 'monitorId' : 'serviceGroupId';
      const message = 'is shown by another system of the page already';
      faults.push({ path: `groups.${groupIndex}.systems.${index}.${field}`, message });
    }
    shown.add(targetOf(system));
    return {
      id: system.id ?? free.get(targetOf(system))?.shift() ?? newId(),
      groupIndex,
      place: index,
      name: system.name,
      monitorId: system.monitorId ?? null,
      serviceGroupId: system.serviceGroupId ?? null,
      overrideStatus: system.overrideStatus ?? null,
      overrideMessage: system.overrideMessage ?? null,
    };
  };
  const systems = groups.flatMap((group, groupIndex) =>
    group.systems.map((system, index) => place(system, groupIndex, index)),
  );
  return { systems, faults };
}
