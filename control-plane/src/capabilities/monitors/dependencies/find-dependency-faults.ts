import type { FaultDetail } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import { decideDependencyFaults } from './decide-dependency-faults.js';
import { dependencyStore } from './dependency-store.js';

interface NamedDependencies {
  /** Null: a new monitor. */
  monitorId: string | null;
  /** Undefined: the request leaves them as they are. */
  dependsOn: readonly string[] | undefined;
}

/**
 * What is wrong with the dependencies that are named for monitors, of each when those before it are changed and have no faults.
 * No other transaction changes dependencies of the workspace from here on. To be called before monitors are locked.
 */
export async function findDependencyFaults(
  tx: Tx,
  workspaceId: string,
  monitors: readonly NamedDependencies[],
): Promise<FaultDetail[][]> {
  const named = new Set(monitors.flatMap(({ dependsOn = [] }) => dependsOn));
  if (named.size === 0) return monitors.map(() => []);
  await dependencyStore.lock(workspaceId, tx);
  const reachable = await dependencyStore.reachable(workspaceId, tx, [...named]);
  const rows = new Map(reachable.map((row) => [row.id, row]));
  return monitors.map(({ monitorId, dependsOn }) => {
    if (dependsOn === undefined) return [];
    const faults = decideDependencyFaults(monitorId, dependsOn, [...rows.values()]);
    const row = monitorId === null ? undefined : rows.get(monitorId);
    if (row && faults.length === 0) rows.set(row.id, { ...row, dependsOn: [...dependsOn] });
    return faults;
  });
}
