import { SETTLE_MS } from '@watchpost/shared/check';

/**
 * The settings of a check that decide its scheduled times: `changedAtMs` itself, and every `phaseMs + k * intervalMs` from
 * `changedAtMs + SETTLE_MS` on. They are the same for every agent.
 */
export interface ScheduleRule {
  intervalMs: number;
  phaseMs: number;
  changedAtMs: number;
}

/** The maximum age of a missed scheduled time that is still run; an older result would mislead. */
export const CATCH_UP_MS = 15_000;

const MAX_START_LAG_MS = 15_000;

/** A check that has waited for longer does not start. */
export function mostStartLagMs({ intervalMs }: ScheduleRule): number {
  return Math.min(intervalMs / 2, MAX_START_LAG_MS);
}

/** A spec that arrives later than this after its change no longer starts with the time of the change. */
const CHANGE_WINDOW_MS = 60_000;

/** The first scheduled time strictly after `afterMs`; whole ms since the epoch. */
export function nextScheduledAt(rule: ScheduleRule, afterMs: number): number {
  if (afterMs < rule.changedAtMs) return rule.changedAtMs;
  const from = Math.max(Math.floor(afterMs) + 1, rule.changedAtMs + SETTLE_MS);
  return rule.phaseMs + Math.ceil((from - rule.phaseMs) / rule.intervalMs) * rule.intervalMs;
}

/** Every scheduled time from `fromMs` to before `toMs`, in order. */
export function scheduledTimesBetween(rule: ScheduleRule, fromMs: number, toMs: number): number[] {
  const times: number[] = [];
  for (let time = nextScheduledAt(rule, fromMs - 1); time < toMs; time = nextScheduledAt(rule, time)) times.push(time);
  return times;
}

/**
 * The first scheduled time of a check that is new to an agent: the time of the change if it is recent and not completed,
 * so that a first result comes at once; else the next regular one.
 * @param lastScheduledAtMs the newest scheduled time that this agent has run or passed, -Infinity for none
 */
export function firstScheduledAt(rule: ScheduleRule, nowMs: number, lastScheduledAtMs: number): number {
  const window = Math.min(rule.intervalMs, CHANGE_WINDOW_MS);
  const changeIsOpen = rule.changedAtMs > lastScheduledAtMs && rule.changedAtMs >= nowMs - window;
  return changeIsOpen ? rule.changedAtMs : nextScheduledAt(rule, Math.max(nowMs, lastScheduledAtMs));
}

/**
 * The first scheduled time of a check that was handed over: the first one that is not completed and not too old.
 * @param completedThroughMs the newest scheduled time that has a result, 0 for none
 */
export function firstAfterHandover(rule: ScheduleRule, nowMs: number, completedThroughMs: number): number {
  const first = firstScheduledAt(rule, nowMs, completedThroughMs);
  return first === rule.changedAtMs
    ? first
    : nextScheduledAt(rule, Math.max(Math.min(completedThroughMs, nowMs), nowMs - CATCH_UP_MS - 1));
}
