import { SETTLE_MS } from '@watchpost/shared/check';

export interface ScheduleOf {
  /** When the monitor was created, changed or enabled, which is a scheduled time of its own. */
  changedAtMs: number;
  intervalMs: number;
  /** One per region. */
  phasesMs: readonly number[];
}

/**
 * The earliest future scheduled time of any region. Scheduled times are `changedAtMs` and every
 * `phase + k·interval` from `changedAtMs + SETTLE_MS` on.
 * @returns null where no region has one
 */
export function decideNextCheck(schedule: ScheduleOf, nowMs: number): number | null {
  if (schedule.phasesMs.length === 0) return null;
  if (schedule.changedAtMs >= nowMs) return schedule.changedAtMs;
  const from = Math.max(nowMs, schedule.changedAtMs + SETTLE_MS);
  return Math.min(
    ...schedule.phasesMs.map(
      (phaseMs) => phaseMs + Math.ceil((from - phaseMs) / schedule.intervalMs) * schedule.intervalMs,
    ),
  );
}
