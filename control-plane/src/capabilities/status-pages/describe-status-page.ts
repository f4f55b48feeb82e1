import type { StatusPageView } from './status-page-schemas.js';
import type { StatusPageRow, SystemRow } from './status-page-store.js';

/** The representation of a status page for its workspace. */
export function describeStatusPage(row: StatusPageRow, systems: readonly SystemRow[]): StatusPageView {
  const { id, name, slug, description, isPublished, showIncidentHistory, notifyIncidents, banner, theme } = row;
  return {
    id,
    name,
    slug,
    description,
    isPublished,
    showIncidentHistory,
    notifyIncidents,
    banner,
    theme,
    groups: groupSystems(row.groupNames, systems).map((group) => ({
      name: group.name,
      systems: group.systems.map(({ groupIndex: _, place: __, ...system }) => system),
    })),
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}

/** Systems by group, both in order. */
export function groupSystems<System extends { groupIndex: number }>(
  names: readonly string[],
  systems: readonly System[],
): { name: string; systems: System[] }[] {
  return names.map((name, index) => ({ name, systems: systems.filter(({ groupIndex }) => groupIndex === index) }));
}
