import { schedulePhaseMs, type CheckKey } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';

/** When the checks of a monitor are due, and were before it was changed; all moments in ms since the epoch. */
export interface KnownSchedule {
  createdMs: number;
  /** When something that a check depends on last changed: a due time of its own. */
  changedMs: number;
  intervalMs: number;
  /** The same of former settings, in no order. */
  formerChangesMs: readonly number[];
  formerIntervalsMs: readonly number[];
  /** Of what was due before, not all is remembered. */
  knownSinceMs: number;
}

/**
 * Whether an honest agent can have been due to run a check at a moment, by the present settings or by any former ones:
 * one that was cut off goes on by what it last heard, for as long as it is. In doubt it can.
 */
export function decideDue(schedule: KnownSchedule, key: CheckKey, region: Region, atMs: number): boolean {
  const { createdMs, changedMs, intervalMs, formerChangesMs, formerIntervalsMs, knownSinceMs } = schedule;
  if (atMs < createdMs) return false;
  if (atMs === changedMs || atMs < knownSinceMs || formerChangesMs.includes(atMs)) return true;
  return [intervalMs, ...formerIntervalsMs].some(
    (interval) => (atMs - schedulePhaseMs(key, region, interval)) % interval === 0,
  );
}
