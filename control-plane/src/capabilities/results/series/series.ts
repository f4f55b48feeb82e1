import type { CheckKind } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';

/** What the timeline says; see the architecture's table of the verdict. */
export type Verdict = 'available' | 'partial' | 'unavailable' | 'unknown';
export type HealthStatus = 'available' | 'degraded' | 'unavailable';
export type Quorum = 'any' | 'majority' | 'all';

/** Where one check of a monitor stands in one region, as its results so far have left it. */
export interface Series {
  region: Region;
  kind: CheckKind;
  /** Conclusive results in a row with the outcome `streakOutcome`; null before the first one. */
  streak: number;
  streakOutcome: 'up' | 'down' | null;
  /** When the first result of the streak was due. */
  streakSinceMs: number | null;
  /**
   * `numberOfChecksBeforeAlert` failures in a row make it true, `numberOfChecksBeforeRecovery` successes
   * false again; null before the first success or so many failures: nothing is decided yet.
   */
  failing: boolean | null;
  /** When the last result that said anything about the target was due; null before the first one. */
  conclusiveAtMs: number | null;
  /** Until when that result speaks for the region; before the first one, until when it is awaited. */
  freshUntilMs: number | null;
  stale: boolean;
  /** The last failure is the target's own word, over verified TLS: nothing on the way can have forged it. */
  answerVerified?: boolean;
  /** The sentence of the last failing result. */
  lastMessage: string | null;
}

/** The kinds of check that say whether the target is there at all. */
export const AVAILABILITY_KINDS: ReadonlySet<CheckKind> = new Set(['http', 'tcpUdp']);

/** The first results of a region are awaited for so many intervals before its silence is noticed. */
export const AWAITED_INTERVALS = 3;

/** The place of a result: a series, and a scheduled time of it. */
export interface ResultKey {
  monitorKey: number;
  kind: CheckKind;
  region: Region;
  scheduledAtMs: number;
}
