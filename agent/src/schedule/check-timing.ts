import { checkCode, type CheckSpec } from '@watchpost/shared/check';
import { onlyReads } from '@watchpost/shared/one-off-tests';
import {
  CATCH_UP_MS,
  firstAfterHandover,
  firstScheduledAt,
  mostStartLagMs,
  nextScheduledAt,
} from './decide-scheduled-time.js';
import type { Due } from './due-heap.js';

export interface ScheduledCheck extends Due {
  spec: CheckSpec;
  /** The scheduled time that comes next or is being run. `dueMs` is when it starts: later while catching up. */
  scheduledAtMs: number;
  lastScheduledAtMs: number;
  /** When the last run started; -Infinity: none has. */
  startedAtMs: number;
  /** Regular scheduled times up to this one are not run by this agent: another agent's, or too old. */
  excludedThroughMs: number;
  state: 'waiting' | 'ready' | 'running' | 'gone';
  /** The check was removed after it fell due: this scheduled time is still run, and no other. */
  isRemoved: boolean;
}

export function newCheck(spec: CheckSpec, excludedThroughMs: number): ScheduledCheck {
  const unset = { scheduledAtMs: 0, dueMs: 0, heapIndex: -1, lastScheduledAtMs: -Infinity, startedAtMs: -Infinity };
  return { spec, excludedThroughMs, state: 'waiting', isRemoved: false, ...unset };
}

/** Whether this agent has the result of a scheduled time already, from before its restart. */
export type IsCompleted = (code: number, scheduledAtMs: number) => boolean;

/** The first scheduled time after `afterMs` that this agent runs and has not completed. */
export function nextOwnTime(check: ScheduledCheck, afterMs: number, isCompleted: IsCompleted): number {
  const { spec, excludedThroughMs } = check;
  let time = nextScheduledAt(spec, afterMs);
  if (time !== spec.changedAtMs) time = nextScheduledAt(spec, Math.max(afterMs, excludedThroughMs));
  while (isCompleted(checkCode(spec.key), time)) time = nextScheduledAt(spec, time);
  return time;
}

/**
 * Up to when scheduled times are over after a run. Those that fell due while the check itself ran are skipped: its result
 * is as new as theirs would be. One that can still start in time is not, so that a check which takes just as long as its
 * interval keeps its rate; the run for a change, which takes place beside the regular times, is always enough.
 */
export function passedThroughMs(check: ScheduledCheck, now: number, isCompleted: IsCompleted): number {
  const { spec, scheduledAtMs, startedAtMs, state } = check;
  const next = nextOwnTime(check, scheduledAtMs, isCompleted);
  if (state !== 'running' || next === spec.changedAtMs || next <= startedAtMs) return scheduledAtMs;
  const graceMs = scheduledAtMs === spec.changedAtMs ? 0 : mostStartLagMs(spec);
  return Math.max(scheduledAtMs, now - graceMs);
}

/**
 * Decides whether a scheduled time without a result may be run, although another agent, or this one before its restart, may have begun with
 * it. Steps that change something would change it twice.
 */
export function canBeginAgain({ target }: CheckSpec): boolean {
  return target.kind !== 'http' || onlyReads(target.steps);
}

/**
 * The first scheduled time that this agent runs of a check that other agents may have run.
 * @param completedThroughMs from a handover; undefined: everything until now is completed
 */
export function firstOwnTime(
  check: ScheduledCheck,
  now: number,
  completedThroughMs: number | undefined,
  isCompleted: IsCompleted,
): number {
  const { spec, lastScheduledAtMs } = check;
  const completed = Math.max(completedThroughMs ?? -Infinity, lastScheduledAtMs);
  let time =
    completedThroughMs === undefined
      ? firstScheduledAt(spec, now, completed)
      : canBeginAgain(spec)
        ? firstAfterHandover(spec, now, completed)
        : nextScheduledAt(spec, Math.max(now, completed));
  while (isCompleted(checkCode(spec.key), time)) time = nextScheduledAt(spec, time);
  return time;
}

/**
 * Corrects a waiting check after a standstill or a step of the clock.
 * @returns how many scheduled times are skipped because they are too old
 */
export function resumeTiming(check: ScheduledCheck, now: number, isCompleted: IsCompleted): number {
  // The clock was set back: a run "in the future" must not delay the next one.
  if (check.lastScheduledAtMs > now + 60_000) check.lastScheduledAtMs = -Infinity;
  check.excludedThroughMs = Math.min(check.excludedThroughMs, now);
  const isChange = check.scheduledAtMs === check.spec.changedAtMs && now - check.scheduledAtMs <= check.spec.intervalMs;
  if (check.scheduledAtMs >= now - CATCH_UP_MS || isChange) {
    const next = nextScheduledAt(check.spec, Math.max(now, check.lastScheduledAtMs));
    check.scheduledAtMs = Math.min(check.scheduledAtMs, next);
    return 0;
  }
  const skipped = Math.max(1, Math.floor((now - CATCH_UP_MS - check.scheduledAtMs) / check.spec.intervalMs));
  check.excludedThroughMs = Math.max(check.excludedThroughMs, now - CATCH_UP_MS - 1);
  check.scheduledAtMs = nextOwnTime(check, check.excludedThroughMs, isCompleted);
  return skipped;
}

/** Overdue checks start this far apart: 400 a second, beside the regular load. */
const PACE_MS = 2.5;

export class Pace {
  private until = -Infinity;

  next(now: number): number {
    this.until = Math.max(now, this.until + PACE_MS);
    return this.until;
  }

  restart(): void {
    this.until = -Infinity;
  }
}
