import { z } from 'zod';

/** Whether it is the name of a zone of the IANA time zone database, as far as this runtime knows it. */
export function isTimeZone(name: string): boolean {
  // Newer runtimes also take offsets like +01:00, which know nothing of daylight saving.
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
