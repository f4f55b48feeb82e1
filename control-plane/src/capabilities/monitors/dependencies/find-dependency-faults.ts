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
 * What is wrong with the dependencies that are named for monitors, once all of them are changed. No other transaction changes
 * dependencies of the workspace from here on. To be called before monitors are locked.
 */
export async function findDependencyFaults(
  tx: Tx,
  workspaceId: string,
  monitors: readonly NamedDependencies[],
): Promise<FaultDetail[]> {
  const named = new Set(monitors.flatMap(({ dependsOn = [] }) => dependsOn));
  if (named.size === 0) return [];
  await dependencyStore.lock(workspaceId, tx);
  const changed = new Map(monitors.map(({ monitorId, dependsOn }) => [monitorId, dependsOn]));
  const reachable = (await dependencyStore.reachable(workspaceId, tx, [...named])).map((row) => {
    return { ...row, dependsOn: [...(changed.get(row.id) ?? row.dependsOn)] };
  });
  return monitors.flatMap(({ monitorId, dependsOn = [] }) => decideDependencyFaults(monitorId, dependsOn, reachable));
}
