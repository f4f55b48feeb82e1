import { BoundedCache } from '../bounded-cache.js';

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
/** The way in which moments are written everywhere: the language of the pages is English. */
const FORMATS = {
  /** `21 Nov` */
  date: { day: 'numeric', month: 'short' },
  /** `21 Nov 2026` */
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  /** `21 November 2026` */
  fullDay: { day: 'numeric', month: 'long', year: 'numeric' },
  /** `November 2026` */
  month: { month: 'long', year: 'numeric' },
  weekdayName: { weekday: 'long' },
  /** `Saturday 21 November 2026` */
  weekday: { dateStyle: 'full' },
  /** `21 November 2026 at 12:05:07 CET` */
  exact: { dateStyle: 'long', timeStyle: 'long' },
  minute: TIME,
  second: { ...TIME, second: '2-digit' },
  name: { timeZoneName: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Making a formatter costs more than a page: as many are kept as are in use at a time. */
const formatters = new BoundedCache<string, Intl.DateTimeFormat>(256);

/** @param zone an IANA zone; without one, that of this machine */
export function writeTime(format: keyof typeof FORMATS, ms: number, zone?: string): string {
  return formatterOf(format, zone).format(ms);
}

function formatterOf(format: keyof typeof FORMATS, zone = ''): Intl.DateTimeFormat {
  const key = `${format} ${zone}`;
  let known = formatters.get(key);
  if (known === undefined) {
    known = new Intl.DateTimeFormat('en-GB', { ...FORMATS[format], ...(zone !== '' && { timeZone: zone }) });
    formatters.set(key, known);
  }
  return known;
}

/** Precision: what goes on is shown to the minute, so that the text stays the same for a while; what is over, and evidence, to the second. */
export type Precision = 'minute' | 'second';

/** `21 Nov 2026`, in an IANA zone. */
export function dayText(ms: number, zone = 'UTC'): string {
  return writeTime('day', ms, zone);
}

/** `21 November 2026`. */
export function fullDayText(ms: number, zone = 'UTC'): string {
  return writeTime('fullDay', ms, zone);
}

/** `12:05`. */
export function minuteText(ms: number, zone = 'UTC'): string {
  return writeTime('minute', ms, zone);
}

/** `12:05:07`. */
export function secondText(ms: number, zone = 'UTC'): string {
  return writeTime('second', ms, zone);
}

/** `21 Nov 2026, 12:05 UTC`, with the name that the zone has at that moment. */
export function momentText(ms: number, zone = 'UTC', precision: Precision = 'minute'): string {
  const zoneName =
    formatterOf('name', zone)
      .formatToParts(ms)
      .find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  return `${dayText(ms, zone)}, ${writeTime(precision, ms, zone)} ${zoneName}`;
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

/** As `lengthText`, in seconds under a minute: `48 s`, `5 min`, `1 h 4 min`, `3 d 2 h`. */
export function durationText(ms: number): string {
  return lengthText(ms, ms < 60_000 ? 'second' : 'minute');
}

/** A percentage rounded down, so that only what is whole is 100 %: `99.98 %`. @param none the words for no data */
export function percentText(percent: number | null | undefined, none = 'no data'): string {
  if (percent === null || percent === undefined) return none;
  if (percent >= 100) return '100 %';
  return `${(Math.floor(percent * 100 + 1e-6) / 100).toFixed(2)} %`;
}

/** A latency in ms: `0.8 ms`, `128 ms`, `2.31 s`. @param none the words for no data */
export function latencyText(ms: number | null | undefined, none = 'no data'): string {
  if (ms === null || ms === undefined) return none;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}
