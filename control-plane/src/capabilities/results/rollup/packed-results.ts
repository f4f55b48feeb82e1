import type { LatencyHistogram } from './histogram.js';
import type { ConclusiveCheck } from './span-codec.js';

/** What `timestamptz_send` counts from: 2000-01-01. */
const PG_EPOCH_MS = 946_684_800_000;
const CHECK_BYTES = 12;

/**
 * SQL for the conclusive results of a group as one value: a month of minute checks is 43,200 rows, and every row that
 * the driver makes an object of costs more than what is done with it.
 */
export const PACKED_CHECKS = `coalesce(string_agg(timestamptz_send(scheduled_at) || int2send(fresh_s) || int2send(outcome), ''::bytea)
  FILTER (WHERE outcome IN (1, 2)), ''::bytea)`;

/** SQL for how long the successful checks of a group took. */
export const PACKED_TOTALS = `coalesce(string_agg(int4send(total_us), ''::bytea) FILTER (WHERE outcome = 1), ''::bytea)`;

export function unpackChecks(bytes: Buffer): ConclusiveCheck[] {
  const said: ConclusiveCheck[] = [];
  for (let at = 0; at < bytes.length; at += CHECK_BYTES) {
    const us = bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
    said.push({
      atMs: us / 1_000 + PG_EPOCH_MS,
      freshMs: bytes.readInt16BE(at + 8) * 1_000,
      up: bytes.readInt16BE(at + 10) === 1,
    });
  }
  return said;
}

export function addPackedTotals(histogram: LatencyHistogram, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at += 4) histogram.add(bytes.readInt32BE(at));
}
