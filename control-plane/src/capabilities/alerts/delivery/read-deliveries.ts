import { notFound } from '@watchpost/shared/fault';
import type { Actor } from '../../../platform/identity/caller.js';
import { actionGroupStore } from '../action-group-store.js';
import type { AlertDeps } from '../alert-deps.js';
import type { DeliveryView } from './delivery-schemas.js';
import { type DeliveryRow, deliveryStore } from './delivery-store.js';

/** Lists the deliveries of a group, newest first. @throws Fault not_found */
export async function listDeliveries(
  deps: Pick<AlertDeps, 'db'>,
  actor: Actor,
  groupId: string,
  page: { limit: number; offset: number },
): Promise<{ items: DeliveryView[]; total: number }> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    if (!(await actionGroupStore.find(workspaceId, tx, groupId))) throw notFound('action group');
    const { rows, total } = await deliveryStore.listOfGroup(workspaceId, tx, groupId, page);
    return { items: rows.map(describeDelivery), total };
  });
}

/** Returns a delivery in the form of the interface. */
export function describeDelivery(row: DeliveryRow): DeliveryView {
  const { address, created, lastAttempt, nextAttempt, finished, ...rest } = row;
  return {
    ...rest,
    destination: address,
    created: created.toISOString(),
    lastAttempt: lastAttempt?.toISOString() ?? null,
    nextAttempt: nextAttempt?.toISOString() ?? null,
    finished: finished?.toISOString() ?? null,
  };
}
