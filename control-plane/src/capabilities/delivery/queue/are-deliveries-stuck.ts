import type { Clock } from '@watchpost/shared/clock';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Database } from '../../../platform/db/database.js';
import { deliveryLaneStore } from './delivery-lane-store.js';

const STUCK_AFTER_MS = 3 * MINUTE_MS;

/** Whether messages have been due for three minutes that no worker takes. Those that a receiver refuses are not: they are tried again later. */
export function areDeliveriesStuck({ db, clock }: { db: Database; clock: Clock }): Promise<boolean> {
  return db.read((tx) => deliveryLaneStore.isStuckSince(tx, new Date(clock.now() - STUCK_AFTER_MS)));
}
