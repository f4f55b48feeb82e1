import { MINUTE_MS } from '@watchpost/shared/time';

/** A row of some 130 bytes, in pages that are filled to 60 %. */
const BYTES_OF_SERIES = 220;
/** A smaller table is not worth a lock … */
const LEAST_BYTES = 64 * 1024 ** 2;
/** … and a larger one takes too long to read under it: the operator chooses the time. */
export const MOST_BYTES = 8 * 1024 ** 3;
/** How many times its usual size the table has grown to. */
const GROWN = 4;
/** While an older snapshot is open, a rebuild keeps the row versions that it is for. */
const OLDEST_SNAPSHOT_MS = MINUTE_MS;
const MOST_TRANSACTIONS = 10_000;

export interface SeriesTable {
  bytes: number;
  /** As estimated by the last vacuum; negative where there was none. */
  rows: number;
}

/** What keeps vacuum from removing row versions. */
export interface OpenSnapshot {
  /** Null where it is not known. */
  ageMs: number | null;
  /** How many transactions have begun since. */
  transactions: number;
}

/** Whether the table of series is to be written anew, because it is mostly empty and nothing prevents that it shrinks. */
export function decideRebuild({ bytes, rows }: SeriesTable, snapshots: readonly OpenSnapshot[]): boolean {
  if (rows < 0 || bytes < LEAST_BYTES || bytes > MOST_BYTES || bytes < GROWN * BYTES_OF_SERIES * rows) return false;
  return snapshots.every(
    ({ ageMs, transactions }) => (ageMs ?? 0) < OLDEST_SNAPSHOT_MS && transactions < MOST_TRANSACTIONS,
  );
}
