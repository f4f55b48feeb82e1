import { Temporal } from 'temporal-polyfill';
import { WEEKDAYS } from '../../on-call/index.js';
import type { GroupRules } from '../../group-settings/index.js';

type Hours = NonNullable<GroupRules['hours']>;

/**
 * Decides when messages may be sent. Hours over midnight belong to the day on which they begin. Where clocks skip a time, it
 * is as much later; where it comes twice, the first counts.
 * @returns the time at which the next hours begin, ms since the epoch; null: now is within hours
 */
export function hoursBeginAt(hours: Hours | null, nowMs: number): number | null {
  if (hours === null) return null;
  const { timezone, days, start, end } = hours;
  const at = (day: Temporal.PlainDate, time: string) =>
    day.toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timezone).toPlainDate();
  let next: number | null = null;
  // Hours that began yesterday may be on; one week may have none, where clocks change, and the week after it has some.
  for (let offset = -1; offset <= 15; offset++) {
    const day = today.add({ days: offset });
    if (!days.includes(WEEKDAYS[day.dayOfWeek - 1]!)) continue;
    const startMs = at(day, start);
    const endMs = at(start < end ? day : day.add({ days: 1 }), end);
    if (startMs <= nowMs && nowMs < endMs) return null;
    // Hours that a change of clocks leaves without length do not begin.
    if (startMs > nowMs && startMs < endMs) next ??= startMs;
  }
  return next;
}
