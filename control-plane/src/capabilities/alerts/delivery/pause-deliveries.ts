import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { wakeDelivery } from './alert-event-store.js';
import { laneStore } from './delivery-lane-store.js';

/** Holds back what waits to be sent for an owner who is suspended, and sends it once the owner no longer is. */
export async function restDeliveries(
  { clock }: { clock: Clock },
  tx: Tx,
  ownerId: string,
  isSuspended: boolean,
): Promise<void> {
  if (isSuspended) return laneStore.park(tx, ownerId);
  await laneStore.unpark(tx, ownerId, new Date(clock.now()));
  await wakeDelivery(tx);
}
