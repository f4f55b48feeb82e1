import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { wakeDelivery } from './alert-event-store.js';
import { deliveryLaneStore } from './delivery-lane-store.js';

/** Pauses the deliveries of an owner on suspension, and resumes them when it ends. */
export async function setDeliveriesPaused(
  { clock }: { clock: Clock },
  tx: Tx,
  ownerId: string,
  isPaused: boolean,
): Promise<void> {
  if (isPaused) return deliveryLaneStore.pause(ownerId, tx);
  await deliveryLaneStore.resume(ownerId, tx, new Date(clock.now()));
  await wakeDelivery(tx);
}
