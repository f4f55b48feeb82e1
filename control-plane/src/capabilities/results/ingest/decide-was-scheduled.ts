import { schedulePhaseMs, type CheckKey } from '@watchpost/shared/check';
import type { Place } from '@watchpost/shared/region';

/** The present and the former schedules of a monitor's checks; all times in ms since the epoch. */
export interface KnownSchedule {
  createdMs: number;
  /** When something that a check depends on last changed: a scheduled time of its own. */
  changedMs: number;
  intervalMs: number;
  /** The same of former settings, in no order. */
  formerChangesMs: readonly number[];
  formerIntervalsMs: readonly number[];
  /** Former settings are recorded completely only from here on. */
  knownSinceMs: number;
}

/**
 * Whether an agent can have been scheduled to run a check at a time, by the present settings or by any former ones: an
 * agent that is cut off keeps the last settings that it received. Where the record is incomplete, the answer is yes.
 */
export function decideWasScheduled(schedule: KnownSchedule, key: CheckKey, place: Place, atMs: number): boolean {
  const { createdMs, changedMs, intervalMs, formerChangesMs, formerIntervalsMs, knownSinceMs } = schedule;
  if (atMs < createdMs) return false;
  if (atMs === changedMs || atMs < knownSinceMs || formerChangesMs.includes(atMs)) return true;
  return [intervalMs, ...formerIntervalsMs].some(
    (interval) => (atMs - schedulePhaseMs(key, place, interval)) % interval === 0,
  );
}
