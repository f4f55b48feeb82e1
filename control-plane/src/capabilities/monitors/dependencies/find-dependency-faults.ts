import type { FaultDetail } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import { decideDependencyFaults } from './decide-dependency-faults.js';
import { dependencyStore } from './dependency-store.js';

/**
 * What is wrong with the dependencies that a request names. No other transaction changes dependencies of the workspace from
 * here on. To be called before monitors are locked.
 * @param monitorId null: a new monitor
 * @param dependsOn undefined: the request leaves them as they are
 */
export async function findDependencyFaults(
  tx: Tx,
  workspaceId: string,
  monitorId: string | null,
  dependsOn: readonly string[] | undefined,
): Promise<FaultDetail[]> {
  if (dependsOn === undefined || dependsOn.length === 0) return [];
  await dependencyStore.lock(workspaceId, tx);
  return decideDependencyFaults(monitorId, dependsOn, await dependencyStore.reachable(workspaceId, tx, dependsOn));
}
