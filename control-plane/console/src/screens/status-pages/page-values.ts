import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';

type Group = StatusPageView['groups'][number];
type System = Group['systems'][number];

/** A system as it is edited: a new one has no id yet. */
export type EditedSystem = Omit<System, 'id'> & { id?: string };
export interface EditedGroup {
  name: string;
  systems: EditedSystem[];
}

export interface PageValues extends Omit<
  StatusPageView,
  'id' | 'isPublished' | 'groups' | 'managedBy' | 'created' | 'lastModified'
> {
  groups: EditedGroup[];
}

export function valuesOf(page: StatusPageView): PageValues {
  const { name, slug, description, showIncidentHistory, notifyIncidents, banner, theme, groups } = page;
  return { name, slug, description, showIncidentHistory, notifyIncidents, banner, theme, groups };
}

/** The body of a change: empty texts are none. */
export function bodyOf({ banner, groups, ...values }: PageValues): object {
  return {
    ...values,
    banner: banner && { ...banner, linkUrl: banner.linkUrl?.trim() || null },
    groups: groups.map(({ name, systems }) => ({
      name,
      systems: systems.map((system) => ({ ...system, overrideMessage: system.overrideMessage?.trim() || null })),
    })),
  };
}

/** Groups as a sentence, for the comparison of edits. */
export function groupsText(groups: readonly EditedGroup[]): string {
  return groups
    .map(({ name, systems }) => `${name}: ${systems.map((each) => each.name).join(', ') || 'empty'}`)
    .join('; ');
}

/** A slug for a name: `Acme & Söhne` is `acme-sohne`; '' where nothing is left of it. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const slug = words.slice(0, 63).replace(/-+$/, '');
  return slug.length === 0 || slug.length >= 3 ? slug : `${slug}-status`;
}

/** A page shows each target once, so that it identifies its system also before it is saved. */
export function keyOf({ monitorId, serviceGroupId }: Pick<System, 'monitorId' | 'serviceGroupId'>): string {
  return monitorId ?? serviceGroupId ?? '';
}

/** Moves a system before the one at `toIndex` of a group, as they are after it was taken out. */
export function placeSystem(
  groups: readonly EditedGroup[],
  key: string,
  toGroup: number,
  toIndex: number,
): EditedGroup[] {
  const moved = groups.flatMap(({ systems }) => systems).find((system) => keyOf(system) === key);
  if (moved === undefined || groups[toGroup] === undefined) return [...groups];
  return groups.map((group, index) => {
    const systems = group.systems.filter((system) => keyOf(system) !== key);
    return { ...group, systems: index === toGroup ? systems.toSpliced(toIndex, 0, moved) : systems };
  });
}

/** Moves a system by one; beyond the first or last of its group into the neighbouring group. */
export function stepSystem(groups: readonly EditedGroup[], key: string, by: 1 | -1): EditedGroup[] {
  const from = groups.findIndex(({ systems }) => systems.some((system) => keyOf(system) === key));
  if (from < 0) return [...groups];
  const at = groups[from]!.systems.findIndex((system) => keyOf(system) === key);
  const to = at + by;
  if (to >= 0 && to < groups[from]!.systems.length) return placeSystem(groups, key, from, to);
  const next = groups[from + by];
  return next === undefined ? [...groups] : placeSystem(groups, key, from + by, by > 0 ? 0 : next.systems.length);
}

export function placeGroup(groups: readonly EditedGroup[], from: number, to: number): EditedGroup[] {
  const moved = groups[from];
  if (moved === undefined || to < 0 || to >= groups.length) return [...groups];
  return groups.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** Where a system is, for screen readers: `Shop is 2 of 3 in Public sites`. */
export function placeText(groups: readonly EditedGroup[], key: string): string {
  const group = groups.find(({ systems }) => systems.some((system) => keyOf(system) === key));
  if (group === undefined) return '';
  const at = group.systems.findIndex((system) => keyOf(system) === key);
  return `${group.systems[at]!.name} is ${at + 1} of ${group.systems.length} in ${group.name}`;
}
