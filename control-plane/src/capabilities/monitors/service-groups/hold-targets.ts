import { notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import { monitorStore } from '../monitor-store.js';
import { serviceGroupStore } from './service-group-store.js';

/**
 * Makes sure that monitors and service groups are there, and that none of them is deleted before the
 * transaction ends: for whoever begins to refer to them.
 * @throws Fault not_found
 */
export async function holdTargets(
  tx: Tx,
  workspaceId: string,
  targets: { monitorIds: readonly string[]; serviceGroupIds: readonly string[] },
): Promise<void> {
  const groups = new Set(targets.serviceGroupIds);
  if (groups.size > (await serviceGroupStore.countHeld(workspaceId, tx, [...groups]))) throw notFound('service group');
  const monitors = new Set(targets.monitorIds);
  if (monitors.size > (await monitorStore.countHeld(workspaceId, tx, [...monitors]))) throw notFound('monitor');
}
