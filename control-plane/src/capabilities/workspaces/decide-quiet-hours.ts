import { Temporal } from 'temporal-polyfill';

export interface QuietHours {
  /** `HH:MM` in the time zone; an `end` that is not later than `start` is on the next day. */
  start: string;
  end: string;
  timezone: string;
}

export function isWithinQuietHours(hours: QuietHours | null, atMs: number): boolean {
  if (hours === null) return false;
  const time = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(hours.timezone).toPlainTime();
  const isFrom = (from: string) => Temporal.PlainTime.compare(time, Temporal.PlainTime.from(from)) >= 0;
  const [started, ended] = [isFrom(hours.start), isFrom(hours.end)];
  return hours.start < hours.end ? started && !ended : started || !ended;
}
