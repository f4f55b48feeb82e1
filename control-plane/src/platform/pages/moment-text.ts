import { BoundedCache } from '@watchpost/shared/bounded-cache';

/** As many zones as are in use at a time: making a formatter costs more than a page. */
const ZONES_KEPT = 64;

interface ZoneFormats {
  day: Intl.DateTimeFormat;
  fullDay: Intl.DateTimeFormat;
  minute: Intl.DateTimeFormat;
  second: Intl.DateTimeFormat;
  name: Intl.DateTimeFormat;
}

/** Precision: what goes on is shown to the minute, so that the text stays the same for a while; what is over, and evidence, to the second. */
export type Precision = 'minute' | 'second';

const zones = new BoundedCache<string, ZoneFormats>(ZONES_KEPT);

/** `21 Nov 2026`, in an IANA zone. */
export function dayText(ms: number, zone = 'UTC'): string {
  return formatsOf(zone).day.format(ms);
}

/** `21 November 2026`. */
export function fullDayText(ms: number, zone = 'UTC'): string {
  return formatsOf(zone).fullDay.format(ms);
}

/** `12:05`. */
export function minuteText(ms: number, zone = 'UTC'): string {
  return formatsOf(zone).minute.format(ms);
}

/** `12:05:07`. */
export function secondText(ms: number, zone = 'UTC'): string {
  return formatsOf(zone).second.format(ms);
}

/** `21 Nov 2026, 12:05 UTC`, with the name that the zone has at that moment. */
export function momentText(ms: number, zone = 'UTC', precision: Precision = 'minute'): string {
  const { name } = formatsOf(zone);
  const zoneName = name.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  return `${dayText(ms, zone)}, ${precision === 'minute' ? minuteText(ms, zone) : secondText(ms, zone)} ${zoneName}`;
}

/**
 * The two largest units: `3 d 4 h`, `4 h 5 min`, `5 min`, and to the second `5 min 12 s`, `12 s`. Under a minute, where
 * seconds are not asked for, `less than a minute`.
 */
export function lengthText(ms: number, precision: Precision = 'minute'): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (precision === 'minute' && seconds < 60) return 'less than a minute';
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    ...(precision === 'second' ? [[seconds % 60, 's'] as [number, string]] : []),
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** `99.98 %`, never rounded up to a hundred; `no data` for null. */
export function percentText(percentage: number | null): string {
  if (percentage === null) return 'no data';
  const text = percentage.toFixed(2);
  return `${text === '100.00' && percentage < 100 ? '99.99' : text.replace(/\.?0+$/, '')} %`;
}

function formatsOf(timeZone: string): ZoneFormats {
  const known = zones.get(timeZone);
  if (known) return known;
  const made = {
    day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone }),
    fullDay: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone }),
    minute: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }),
    second: new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }),
    name: new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short', timeZone }),
  };
  zones.set(timeZone, made);
  return made;
}
