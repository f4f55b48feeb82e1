import type { Database } from '../../platform/db/database.js';
import { periodStore } from './period-store.js';

/** Erases when windows covered these monitors, which are purged. */
export async function erasePeriods({ db }: { db: Database }, monitorKeys: readonly number[]): Promise<void> {
  await db.transaction((tx) => periodStore.erase(tx, monitorKeys));
}
