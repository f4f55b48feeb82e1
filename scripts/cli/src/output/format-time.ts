import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';

const UNITS: readonly [number, string][] = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
];

/** How long ago a moment is, such as `8 s ago`; `-` for none. */
export function formatAge(moment: string | null, nowMs: number): string {
  if (moment === null) return '-';
  const ageMs = Math.max(0, nowMs - Date.parse(moment));
  const [unitMs, unit] = UNITS.find(([ms]) => ageMs >= ms) ?? [SECOND_MS, 's'];
  return `${Math.floor(ageMs / unitMs)} ${unit} ago`;
}

/** A moment in UTC to the minute, such as `2026-11-23 21:30 UTC`; `-` for none. */
export function formatMoment(moment: string | null): string {
  return moment === null ? '-' : `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1 monitor`, `2 monitors`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
