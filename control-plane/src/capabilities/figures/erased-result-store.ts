import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import { packingStore } from './packing/packing-store.js';
import { storedDays } from '../results/index.js';

/** Tables by day, with the column of the time. */
const DAILY = {
  check_result: 'scheduled_at',
  check_failure: 'scheduled_at',
  check_detail: 'scheduled_at',
  check_answer: 'day',
  // After the rows: a portion that was packed before they were erased is erased here.
  packed_result: 'starts_at',
} as const;
/** Dirty buckets before rollups, so that none is computed again. */
const OTHERS = [
  'dirty_bucket',
  'late_result',
  'check_rollup',
  'check_rollup_day',
  'monitor_day',
  'series',
  'monitor_state',
  'last_answer',
  'check_finding',
  'notified_change',
  'second_opinion',
] as const;

export interface ErasedPart {
  table: keyof typeof DAILY | (typeof OTHERS)[number];
  day: number | null;
}

/** Erases what results store of deleted monitors, of all workspaces. */
export const erasedResultStore = {
  /** Where something may be stored, in the order of erasure. */
  async parts(tx: Tx): Promise<ErasedPart[]> {
    const days = [...(await storedDays(tx))].toSorted((a, b) => a - b);
    const daily = Object.keys(DAILY) as (keyof typeof DAILY)[];
    return [
      ...OTHERS.slice(0, 1).map((table) => ({ table, day: null })),
      ...daily.flatMap((table) => days.map((day) => ({ table, day }))),
      ...OTHERS.slice(1).map((table) => ({ table, day: null })),
    ];
  },

  /** @returns the number of deleted rows; fewer than `limit` if none is left */
  async erase(tx: Tx, { table, day }: ErasedPart, monitorKeys: readonly number[], limit: number): Promise<number> {
    if (table === 'packed_result') await packingStore.hold(tx);
    // The bounds are repeated because a ctid identifies a row within its partition only.
    const at =
      day === null
        ? 'true'
        : `${DAILY[table as keyof typeof DAILY]} >= $3 AND ${DAILY[table as keyof typeof DAILY]} < $4`;
    const bounds = day === null ? [] : [new Date(day * DAY_MS), new Date((day + 1) * DAY_MS)];
    return tx.execute(
      `DELETE FROM ${table} WHERE ${at}
         AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE monitor_key = ANY ($1) AND ${at} LIMIT $2))`,
      [monitorKeys, limit, ...bounds],
    );
  },
};
