import { BoundedCache } from '@watchpost/shared/bounded-cache';

/** As many zones as are in use at a time: making a formatter costs more than a page. */
const ZONES_KEPT = 64;

interface ZoneFormats {
  day: Intl.DateTimeFormat;
  minute: Intl.DateTimeFormat;
  name: Intl.DateTimeFormat;
}

const zones = new BoundedCache<string, ZoneFormats>(ZONES_KEPT);

/** `21 Nov 2026`, in an IANA zone. */
export function dayText(ms: number, zone = 'UTC'): string {
  return formatsOf(zone).day.format(ms);
}

/** `12:05`. */
export function minuteText(ms: number, zone = 'UTC'): string {
  return formatsOf(zone).minute.format(ms);
}

/** `21 Nov 2026, 12:05 UTC`, with the name that the zone has at that moment. */
export function momentText(ms: number, zone = 'UTC'): string {
  const { name } = formatsOf(zone);
  const zoneName = name.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  return `${dayText(ms, zone)}, ${minuteText(ms, zone)} ${zoneName}`;
}

/** `3 d 4 h`, `4 h 5 min`, `5 min`; under a minute `less than a minute`. */
export function lengthText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  const parts = [
    [Math.floor(minutes / 1_440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
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
    minute: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }),
    name: new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short', timeZone }),
  };
  zones.set(timeZone, made);
  return made;
}
