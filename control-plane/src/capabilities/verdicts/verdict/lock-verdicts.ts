import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { verdictStore } from './verdict-store.js';

/**
 * Locks the verdicts of these monitors in the order of their keys.
 * @returns the verdicts of those that are enabled, and when each is to be decided again
 */
export async function lockVerdicts(
  deps: { clock: Clock },
  tx: Tx,
  monitorKeys: readonly number[],
): Promise<ReadonlyMap<number, { verdict: string; decideAtMs: number | null }>> {
  await verdictStore.lock(tx, monitorKeys, new Date(deps.clock.now()));
  const rows = await verdictStore.locked(tx, monitorKeys);
  return new Map(rows.map(({ monitorKey, ...verdict }) => [monitorKey, verdict]));
}
