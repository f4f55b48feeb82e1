import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { wakeDelivery } from './alert-event-store.js';
import { deliveryLaneStore } from './delivery-lane-store.js';

/** Holds back what waits to be sent for an owner who is suspended, and sends it once the owner no longer is. */
export async function setDeliveriesPaused(
  { clock }: { clock: Clock },
  tx: Tx,
  ownerId: string,
  isSuspended: boolean,
): Promise<void> {
  if (isSuspended) return deliveryLaneStore.park(ownerId, tx);
  await deliveryLaneStore.unpark(ownerId, tx, new Date(clock.now()));
  await wakeDelivery(tx);
}
