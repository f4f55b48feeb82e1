import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import type { NewDelivery } from './delivery.js';
import { fanOutStore } from './fan-out-store.js';
import type { Outlet } from '../../channels/index.js';
import { deliveryLaneOf } from './delivery-lane.js';
import { deliveryLaneStore } from './delivery-lane-store.js';

/**
 * Adds deliveries in the given order, and makes their lanes due. An existing delivery is not added again. Where too many
 * wait for a destination already, a delivery fails. `key` identifies the destination where the address does not.
 * @param onFailed is called with those, before lanes are locked
 * @returns the outlets that have something to send
 */
export async function addDeliveries<Added extends Omit<NewDelivery, 'id' | 'lane'> & { key?: string | undefined }>(
  deps: { clock: Clock },
  tx: Tx,
  deliveries: readonly Added[],
  onFailed?: (failed: readonly Added[]) => Promise<void>,
): Promise<ReadonlySet<Outlet>> {
  if (deliveries.length === 0) return new Set();
  const nowMs = deps.clock.now();
  const now = new Date(nowMs);
  const rows = deliveries.map((delivery) => ({
    ...delivery,
    id: newId(nowMs),
    ...deliveryLaneOf(delivery.channel, delivery.key ?? delivery.address, delivery.groupId, delivery.purpose),
  }));
  const failed = await fanOutStore.insert(tx, rows, now);
  if (failed.size > 0) await onFailed?.(rows.filter(({ id }) => failed.has(id)));
  await deliveryLaneStore.activate(tx, rows, now);
  return new Set(rows.map(({ outlet }) => outlet));
}
