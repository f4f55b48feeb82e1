import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { OnCallShift } from './decide-on-call.js';

/** `day`: 24 hours before a shift. `begin`: when it begins. */
export type ReminderKind = 'day' | 'begin';

export interface ShiftReminder {
  kind: ReminderKind;
  userId: string;
  startMs: number;
  endMs: number;
}

/** After an interruption of the service, the beginning of a shift is reported for so long. */
const BEGIN_FOR_MS = 12 * HOUR_MS;
/** A shift that somebody gets so shortly before is reported when it begins. */
const TOO_LATE_MS = HOUR_MS;
/** A change that nobody reports, such as the suspension of a person, is seen after this time. */
const LOOK_AGAIN_MS = HOUR_MS;

/** The shifts on which the reminders of a moment depend. */
export function reminderRange(nowMs: number): { fromMs: number; toMs: number } {
  return { fromMs: nowMs - BEGIN_FOR_MS, toMs: nowMs + DAY_MS + LOOK_AGAIN_MS };
}

/**
 * Decides which reminders are wanted at a moment, whether or not they were sent before, and when to look again. A shift that
 * follows another one of the same person does not begin.
 * @param shifts those of `reminderRange`, in order
 */
export function decideShiftReminders(
  shifts: readonly OnCallShift[],
  nowMs: number,
): { wanted: ShiftReminder[]; nextMs: number } {
  const wanted: ShiftReminder[] = [];
  let nextMs = nowMs + LOOK_AGAIN_MS;
  for (const [place, { userId, startMs, endMs }] of shifts.entries()) {
    if (userId === null || shifts[place - 1]?.userId === userId) continue;
    const untilMs = startMs - nowMs;
    if (untilMs <= 0) {
      if (-untilMs < BEGIN_FOR_MS && endMs > nowMs) wanted.push({ kind: 'begin', userId, startMs, endMs });
      continue;
    }
    if (untilMs <= DAY_MS && untilMs > TOO_LATE_MS) wanted.push({ kind: 'day', userId, startMs, endMs });
    nextMs = Math.min(nextMs, untilMs > DAY_MS ? startMs - DAY_MS : startMs);
  }
  return { wanted, nextMs };
}
