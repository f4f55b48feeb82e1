import { z } from 'zod';

/** Whether the text names a zone of the IANA time zone database that this runtime knows. */
export function isTimeZone(name: string): boolean {
  // Newer runtimes also accept offsets like +01:00, which have no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
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
