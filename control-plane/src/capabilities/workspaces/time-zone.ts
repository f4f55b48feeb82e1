import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

/**
 * Whether the text names a zone of the IANA time zone database in which this program can compute and format. Each of the two
 * also knows names that the other one refuses, such as `IST`.
 */
export function isTimeZone(name: string): boolean {
  // Offsets like +01:00 have no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: 'must be an IANA time zone, like Europe/Dublin' })
  .meta({ description: 'IANA time zone', example: 'Europe/Dublin' });
