import type { LatencyHistogram } from './histogram.js';
import type { ConclusiveCheck } from './span-codec.js';

/** The epoch of `timestamptz_send`: 2000-01-01. */
const PG_EPOCH_MS = 946_684_800_000;
const CHECK_BYTES = 12;

/**
 * SQL for the conclusive checks of a group as one value. A month of minute checks is 43,200 rows, and creating an object
 * for each row costs more than its evaluation.
 */
export const PACKED_CHECKS = `coalesce(string_agg(timestamptz_send(scheduled_at) || int2send(fresh_s) || int2send(outcome), ''::bytea)
  FILTER (WHERE outcome IN (1, 2)), ''::bytea)`;

/** SQL for the durations of the successful checks of a group. */
export const PACKED_TOTALS = `coalesce(string_agg(int4send(total_us), ''::bytea) FILTER (WHERE outcome = 1), ''::bytea)`;

export function unpackChecks(bytes: Buffer): ConclusiveCheck[] {
  const checks: ConclusiveCheck[] = [];
  for (let at = 0; at < bytes.length; at += CHECK_BYTES) {
    const us = bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
    checks.push({
      atMs: us / 1_000 + PG_EPOCH_MS,
      freshMs: bytes.readInt16BE(at + 8) * 1_000,
      up: bytes.readInt16BE(at + 10) === 1,
    });
  }
  return checks;
}

export function addPackedTotals(histogram: LatencyHistogram, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at += 4) histogram.add(bytes.readInt32BE(at));
}
