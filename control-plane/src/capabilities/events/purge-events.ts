import type { Database } from '../../platform/db/database.js';
import { eventStore } from './event-store.js';
import { streamLeaseStore } from './stream-lease-store.js';

const BATCH = 10_000;

/** Deletes events from which no client resumes any more, and the leases of streams that ended with their process. */
export async function purgeEvents({ db }: { db: Database }): Promise<void> {
  while ((await db.transaction((tx) => eventStore.purge(tx, BATCH))) === BATCH);
  await db.transaction((tx) => streamLeaseStore.purge(tx));
}
