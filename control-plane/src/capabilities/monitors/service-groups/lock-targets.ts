import { notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import { monitorStore } from '../monitor-store.js';
import { serviceGroupStore } from './service-group-store.js';

/**
 * Locks monitors and service groups against deletion until the transaction ends, for callers that begin to refer to them.
 * @throws Fault not_found
 */
export async function lockTargets(
  tx: Tx,
  workspaceId: string,
  targets: { monitorIds: readonly string[]; serviceGroupIds: readonly string[] },
): Promise<void> {
  const groups = new Set(targets.serviceGroupIds);
  if (groups.size > (await serviceGroupStore.countHeld(workspaceId, tx, [...groups]))) throw notFound('service group');
  const monitors = new Set(targets.monitorIds);
  if (monitors.size > (await monitorStore.countHeld(workspaceId, tx, [...monitors]))) throw notFound('monitor');
}
