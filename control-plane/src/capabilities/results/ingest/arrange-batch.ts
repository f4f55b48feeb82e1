import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';

/** Why a result is dropped. It is counted and not an error: one bad result must not block a spool. */
export type DropReason = 'malformed' | 'future' | 'expired' | 'unknown_monitor' | 'foreign_region' | 'foreign_kind';

/** How far ahead of the clock a result may be scheduled: the clocks of processes differ slightly. */
const FUTURE_MS = 30_000;

export interface ArrangedResult {
  result: CheckResult;
  /** The agent that reported it. */
  agentKey: number;
  /** The position of the result among those of its series in the batch, in scheduled order, from 1. */
  round: number;
}

export interface ArrangedBatch {
  /**
   * By monitor, kind and scheduled time. Every batch writes in this order, so that two batches cannot deadlock.
   */
  results: ArrangedResult[];
  rounds: number;
  dropped: Map<DropReason, number>;
}

/**
 * Sorts a batch in the order in which it is written, and drops results that cannot be stored.
 * @param agentKeyOf the agent that reported a result
 */
export function arrangeBatch(
  results: readonly CheckResult[],
  { nowMs, oldestMs }: { nowMs: number; oldestMs: number },
  agentKeyOf: (result: CheckResult) => number,
): ArrangedBatch {
  const dropped = new Map<DropReason, number>();
  const kept = results.filter((result) => {
    const reason = dropReason(result, nowMs, oldestMs);
    if (reason !== null) dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
    return reason === null;
  });
  kept.sort(
    (a, b) =>
      a.key.monitorKey - b.key.monitorKey ||
      CHECK_KIND_CODES[a.key.kind] - CHECK_KIND_CODES[b.key.kind] ||
      a.scheduledAtMs - b.scheduledAtMs,
  );
  let rounds = 0;
  let round = 0;
  let last: CheckResult | undefined;
  const arranged = kept.map((result): ArrangedResult => {
    round = last?.key.monitorKey === result.key.monitorKey && last.key.kind === result.key.kind ? round + 1 : 1;
    rounds = Math.max(rounds, round);
    last = result;
    return { result, agentKey: agentKeyOf(result), round };
  });
  return { results: arranged, rounds, dropped };
}

function dropReason(result: CheckResult, nowMs: number, oldestMs: number): DropReason | null {
  const { monitorKey, kind } = result.key;
  if (!Number.isSafeInteger(monitorKey) || monitorKey < 1 || CHECK_KIND_CODES[kind] === undefined) return 'malformed';
  if (!Number.isSafeInteger(result.scheduledAtMs) || !Number.isSafeInteger(result.startedAtMs)) return 'malformed';
  if (result.scheduledAtMs > nowMs + FUTURE_MS) return 'future';
  return result.scheduledAtMs < oldestMs ? 'expired' : null;
}
