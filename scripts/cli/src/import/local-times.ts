/** The local time of a moment in a zone, like 2027-03-28T02:00. */
export function localTimeOf(ms: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(ms);
  const part = (type: string) => parts.find((one) => one.type === type)!.value;
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** The moment of a local time in a zone; one that daylight saving skips is moved by the gap. */
export function momentOf(local: string, zone: string): number {
  const asUtcMs = Date.parse(`${local}Z`);
  const offsetAt = (ms: number) => Date.parse(`${localTimeOf(ms, zone)}Z`) - Math.floor(ms / 60_000) * 60_000;
  const first = asUtcMs - offsetAt(asUtcMs);
  return asUtcMs - offsetAt(first);
}

/**
 * The time zone of a name; null where there is none. Names without a region, such as `IST` or `PST`, become the region that
 * the engine takes them for: the API refuses those that the IANA database does not have.
 */
export function readTimeZone(name: string): string | null {
  // Newer versions of Node.js take offsets like +01:00 too.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return name.includes('/') ? name : timeZone;
  } catch {
    return null;
  }
}

/** A date and time of the database as a local time; undefined where it is none. */
export function readLocalTime(text: string | null): string | undefined {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)/.exec(text ?? '') ?? [];
  const local = `${date}T${time}`;
  return date === undefined || Number.isNaN(Date.parse(`${local}Z`)) ? undefined : local;
}

/** The calendar day after so many days, of a date like 2027-03-28. */
export function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
