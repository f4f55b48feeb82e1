import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import { receptionStore } from './reception-store.js';

export const NOTE_RECEPTION_MS = 5_000;
/** Without a note for this long nothing could be received. */
const OUTAGE_MS = 12_000;

/**
 * Notes that this process receives pings and stores them; not where it has lost any since the last time. Each process that
 * serves HTTP calls it every few seconds.
 */
export async function noteReception(deps: { db: Database; clock: Clock; takeLoss(): boolean }): Promise<void> {
  if (deps.takeLoss()) return;
  const now = new Date(deps.clock.now());
  // One statement, which needs no transaction around it.
  const isNoted = await deps.db.read((tx) => receptionStore.note(keptStatements(tx), now, OUTAGE_MS));
  if (!isNoted) await deps.db.transaction((tx) => receptionStore.resume(tx, now, OUTAGE_MS));
}
