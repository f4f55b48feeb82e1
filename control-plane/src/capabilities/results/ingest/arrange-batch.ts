import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';
import { regionCode, type Region } from '@watchpost/shared/region';
import { isSameSeries, type ResultOfRegion } from '../../verdicts/index.js';

/** Why a result is dropped. It is counted and not an error: one bad result must not block a spool. */
export type DropReason = 'malformed' | 'future' | 'expired' | 'unknown_monitor' | 'foreign_region' | 'foreign_kind';

/** How far ahead of the clock a result may be scheduled: the clocks of processes differ slightly. */
const FUTURE_MS = 30_000;

export interface ReportedResult extends ResultOfRegion {
  agentKey: number;
}

export interface ArrangedResult extends ReportedResult {
  /** The position of the result among those of its series in the batch, in scheduled order, from 1. */
  round: number;
}

/** A result that is not stored. */
export interface DroppedResult {
  region: Region;
  reason: DropReason;
}

export interface ArrangedBatch {
  /**
   * By monitor, kind, region and scheduled time. Every batch writes in this order, so that two batches cannot deadlock.
   */
  results: ArrangedResult[];
  rounds: number;
  dropped: DroppedResult[];
}

/** Sorts a batch in the order in which it is written, and drops results that cannot be stored. */
export function arrangeBatch(
  reported: readonly ReportedResult[],
  { nowMs, oldestMs }: { nowMs: number; oldestMs: number },
): ArrangedBatch {
  const dropped: DroppedResult[] = [];
  const results: ArrangedResult[] = [];
  for (const { result, region, agentKey } of reported) {
    const reason = dropReason(result, nowMs, oldestMs);
    if (reason === null) results.push({ result, region, agentKey, round: 1 });
    else dropped.push({ region, reason });
  }
  results.sort(
    (a, b) =>
      a.result.key.monitorKey - b.result.key.monitorKey ||
      CHECK_KIND_CODES[a.result.key.kind] - CHECK_KIND_CODES[b.result.key.kind] ||
      regionCode(a.region) - regionCode(b.region) ||
      a.result.scheduledAtMs - b.result.scheduledAtMs,
  );
  let rounds = 0;
  let last: ArrangedResult | undefined;
  for (const next of results) {
    if (last && isSameSeries(last, next)) next.round = last.round + 1;
    rounds = Math.max(rounds, next.round);
    last = next;
  }
  return { results, rounds, dropped };
}

function dropReason(result: CheckResult, nowMs: number, oldestMs: number): DropReason | null {
  const { monitorKey, kind } = result.key;
  if (!Number.isSafeInteger(monitorKey) || monitorKey < 1 || CHECK_KIND_CODES[kind] === undefined) return 'malformed';
  if (!Number.isSafeInteger(result.scheduledAtMs) || !Number.isSafeInteger(result.startedAtMs)) return 'malformed';
  if (result.scheduledAtMs > nowMs + FUTURE_MS) return 'future';
  return result.scheduledAtMs < oldestMs ? 'expired' : null;
}
