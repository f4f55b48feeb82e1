import { DAY_MS } from '@watchpost/shared/time';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import { pingStore } from './ping-store.js';
import { receptionStore } from './reception-store.js';

const KEPT_DAYS = 35;
const BATCH = 10_000;

/** Longer than a report of 400 days, the longest, and the period before it, with which it is compared. */
const HISTORY_DAYS = 801;

/** Removes pings after 35 days, and what availability no longer needs, in batches. */
export async function purgePings({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = new Date(clock.now() - KEPT_DAYS * DAY_MS);
  while ((await db.transaction((tx) => pingStore.purge(tx, before, BATCH))) === BATCH);
  const historyFrom = new Date(clock.now() - HISTORY_DAYS * DAY_MS);
  while ((await db.transaction((tx) => pingStore.purgeChanges(tx, historyFrom, BATCH))) === BATCH);
  await db.transaction((tx) => receptionStore.purge(tx, historyFrom));
}

/** Removes what monitors that are purged left. */
export async function erasePings({ db }: { db: Database }, monitorKeys: readonly number[]): Promise<void> {
  await db.transaction((tx) => pingStore.erase(tx, monitorKeys));
}
