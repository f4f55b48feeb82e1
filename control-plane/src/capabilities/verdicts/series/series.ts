import type { CheckKey, CheckKind } from '@watchpost/shared/check';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';

export type Verdict = 'available' | 'partial' | 'unavailable' | 'unknown';
export type HealthStatus = 'available' | 'degraded' | 'unavailable';
export type Quorum = 'any' | 'majority' | 'all';

export interface Series {
  region: Region;
  kind: CheckKind;
  /** Conclusive results in a row with the outcome `streakOutcome`; null before the first one. */
  streak: number;
  streakOutcome: 'up' | 'down' | null;
  /** Scheduled time of the first result of the streak. */
  streakSinceMs: number | null;
  /**
   * True after `numberOfChecksBeforeAlert` failures in a row, false after `numberOfChecksBeforeRecovery` successes; null
   * before the first success or that many failures.
   */
  failing: boolean | null;
  /** Scheduled time of the last conclusive result; null before the first one. */
  conclusiveAtMs: number | null;
  /** Until when that result is fresh; before the first one, until when it is awaited. */
  freshUntilMs: number | null;
  stale: boolean;
  /** The target itself reported the last failure over verified TLS, so that nothing on the way can have forged it. */
  answerVerified?: boolean;
  /** Of the complete, unverified answer from which the last failure follows; null: there was none. */
  answerDigest?: number | null;
  /** True where the target works at some of its addresses in the last failure. */
  isPartial?: boolean;
  lastMessage: string | null;
}

/** The first result of a series is awaited for this many intervals before the series is stale. */
export const AWAITED_INTERVALS = 3;

export interface ResultOfRegion {
  result: CheckResult;
  region: Region;
}

export function isSameSeries(a: ResultOfRegion, b: ResultOfRegion): boolean {
  return (
    a.result.key.monitorKey === b.result.key.monitorKey &&
    a.result.key.kind === b.result.key.kind &&
    a.region === b.region
  );
}

export interface SeriesKey extends CheckKey {
  region: Region;
}

/** Identifies a result: a series and a scheduled time. */
export interface ResultKey extends SeriesKey {
  scheduledAtMs: number;
}
