import type { Tx } from '../../platform/db/database.js';
import { periodStore } from './period-store.js';

/** Those of these monitors, of any workspace, that a window covers at this time. */
export async function coveredMonitors(tx: Tx, monitorKeys: readonly number[], now: Date): Promise<ReadonlySet<number>> {
  return new Set(await periodStore.covered(tx, monitorKeys, now));
}
