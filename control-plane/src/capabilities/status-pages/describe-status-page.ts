import { statusPageSettings, type StatusPageView } from './status-page-schemas.js';
import type { ShownPageRow, SystemRow } from './status-page-store.js';

export function describeStatusPage(row: ShownPageRow, systems: readonly SystemRow[]): StatusPageView {
  const groups = groupSystems(row.groupNames, systems).map((group) => ({
    name: group.name,
    systems: group.systems.map(({ groupIndex: _, place: __, ...system }) => system),
  }));
  return {
    id: row.id,
    ...statusPageSettings.describe({ ...row, groups: [] }),
    groups,
    managedBy: row.managedBy,
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}

/** A page as the audit log stores it: only what people set. */
export function auditedPage({ managedBy: _, ...page }: StatusPageView): object {
  return page;
}

/** Systems by group, both in order. */
export function groupSystems<System extends { groupIndex: number }>(
  names: readonly string[],
  systems: readonly System[],
): { name: string; systems: System[] }[] {
  return names.map((name, index) => ({ name, systems: systems.filter(({ groupIndex }) => groupIndex === index) }));
}
