import { Temporal } from 'temporal-polyfill';

export interface QuietHours {
  /** `HH:MM` on the clock of the zone; where `end` is not later than `start`, it is the next day's. */
  start: string;
  end: string;
  timezone: string;
}

/** Whether somebody wants to hear nothing at this moment. */
export function isWithinQuietHours(hours: QuietHours | null, atMs: number): boolean {
  if (hours === null) return false;
  const time = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(hours.timezone).toPlainTime();
  const isFrom = (from: string) => Temporal.PlainTime.compare(time, Temporal.PlainTime.from(from)) >= 0;
  const [started, ended] = [isFrom(hours.start), isFrom(hours.end)];
  return hours.start < hours.end ? started && !ended : started || !ended;
}
