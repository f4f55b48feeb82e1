import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import type { Database } from '../../../platform/db/database.js';
import { alertEventStore } from './alert-event-store.js';
import { mailOutboxStore } from './mail-outbox-store.js';
import { deliveryLaneStore } from './delivery-lane-store.js';

export const DELIVERY_DAYS = 30;
const BATCH = 1_000;

/** Deletes events, deliveries and mails that are done and more than 30 days old. */
export async function purgeDeliveries({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = new Date(clock.now() - DELIVERY_DAYS * DAY_MS);
  while ((await db.transaction((tx) => alertEventStore.purge(tx, before, BATCH))) === BATCH);
  while ((await db.transaction((tx) => mailOutboxStore.purge(tx, before, BATCH))) === BATCH);
  while ((await db.transaction((tx) => deliveryLaneStore.purgeIdle(tx, BATCH))) === BATCH);
}
