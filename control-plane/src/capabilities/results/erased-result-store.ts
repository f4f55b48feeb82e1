import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import { partitionStore } from './series/partition-store.js';

/** By day, and the column that says which. */
const DAILY = {
  check_result: 'scheduled_at',
  check_failure: 'scheduled_at',
  check_detail: 'scheduled_at',
  check_answer: 'day',
} as const;
/** Marks before rollups: without a mark no rollup is made again. */
const OTHERS = [
  'dirty_bucket',
  'check_rollup',
  'check_rollup_day',
  'series',
  'monitor_state',
  'last_answer',
  'notified_change',
  'second_opinion',
] as const;

/** One portion of what is kept of some monitors. */
export interface ErasedPart {
  table: keyof typeof DAILY | (typeof OTHERS)[number];
  day: number | null;
}

/** What results keep of monitors that are gone, of all workspaces: the service's own housekeeping. */
export const erasedResultStore = {
  /** Where something may be kept, in the order in which it is to be erased. */
  async parts(tx: Tx): Promise<ErasedPart[]> {
    const days = [...(await partitionStore.days(tx))].toSorted((a, b) => a - b);
    const daily = Object.keys(DAILY) as (keyof typeof DAILY)[];
    return [
      ...OTHERS.slice(0, 1).map((table) => ({ table, day: null })),
      ...daily.flatMap((table) => days.map((day) => ({ table, day }))),
      ...OTHERS.slice(1).map((table) => ({ table, day: null })),
    ];
  },

  /** @returns how many rows went; fewer than `limit` where none is left */
  async erase(tx: Tx, { table, day }: ErasedPart, monitorKeys: readonly number[], limit: number): Promise<number> {
    // The bounds are repeated because a row's place is one within its partition only.
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
