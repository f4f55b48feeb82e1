import type { FaultDetail } from '@watchpost/shared/fault';
import type { DependencyRow } from './dependency-store.js';

/** The most monitors of a circle that a fault names. */
const MOST_NAMES = 5;

/**
 * The faults of what a monitor shall depend on: each of them by its place in the list.
 * @param monitorId null: a new monitor, which closes no circle
 * @param reachable what the listed monitors depend on, directly and through others, and they themselves
 */
export function decideDependencyFaults(
  monitorId: string | null,
  dependsOn: readonly string[],
  reachable: readonly DependencyRow[],
): FaultDetail[] {
  const byId = new Map(reachable.map((row) => [row.id, row]));
  return dependsOn.flatMap((id, index) => {
    const fault = (message: string) => [{ path: `dependsOn.${index}`, message }];
    if (id === monitorId) return fault('is the monitor itself');
    const row = byId.get(id);
    if (!row || row.isDeleted) return fault('is not a monitor of this workspace');
    const between = monitorId === null ? null : pathTo(monitorId, row, byId);
    return between === null ? [] : fault(circleMessage(between));
  });
}

/** The shortest path from a monitor to one that it depends on, without that one; null where there is none. */
function pathTo(
  target: string,
  from: DependencyRow,
  byId: ReadonlyMap<string, DependencyRow>,
): readonly DependencyRow[] | null {
  const seen = new Set([from.id]);
  let paths: DependencyRow[][] = [[from]];
  while (paths.length > 0) {
    const longer: DependencyRow[][] = [];
    for (const path of paths) {
      for (const id of path.at(-1)!.dependsOn) {
        if (id === target) return path;
        const next = byId.get(id);
        if (!next || seen.has(id)) continue;
        seen.add(id);
        longer.push([...path, next]);
      }
    }
    paths = longer;
  }
  return null;
}

function circleMessage(path: readonly DependencyRow[]): string {
  const names = path.map(({ name, isDeleted }) => `"${name}"${isDeleted ? ' (deleted, can be restored)' : ''}`);
  const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES - 1), '…', names.at(-1)!] : names;
  return `closes a circle: ${shown.join(', which depends on ')}, which depends on this monitor`;
}
