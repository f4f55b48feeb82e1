import type { Database } from '../../platform/db/database.js';
import { erasedIncidentStore } from './incident-store.js';

/** Incidents per transaction, with their timelines and notes. */
const BATCH = 200;

/** Erases the incidents of these monitors with evidence, timelines and notes, in batches. */
export async function eraseIncidents({ db }: { db: Database }, monitorKeys: readonly number[]): Promise<void> {
  while ((await db.transaction((tx) => erasedIncidentStore.erase(tx, monitorKeys, BATCH))) === BATCH);
}
