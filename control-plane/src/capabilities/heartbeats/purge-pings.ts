import { DAY_MS } from '@watchpost/shared/time';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import { pingStore } from './ping-store.js';

const KEPT_DAYS = 35;
const BATCH = 10_000;

/** Removes pings after 35 days, in batches. */
export async function purgePings({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = new Date(clock.now() - KEPT_DAYS * DAY_MS);
  while ((await db.transaction((tx) => pingStore.purge(tx, before, BATCH))) === BATCH);
}

/** Removes what monitors that are purged left. */
export async function erasePings({ db }: { db: Database }, monitorKeys: readonly number[]): Promise<void> {
  await db.transaction((tx) => pingStore.erase(tx, monitorKeys));
}
