import { dayOf } from '../data/days.js';
import * as texts from '@watchpost/shared/design/texts';
import { durationText, writeTime } from '@watchpost/shared/design/texts';

export { durationText };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, or in what time: `just now`, `12 s ago`, `in 3 h`. */
export function relativeText(atMs: number, nowMs: number): string {
  const ago = nowMs - atMs;
  if (Math.abs(ago) < 5 * SECOND) return 'just now';
  const [length] = durationText(Math.abs(ago)).split(/(?<=[a-z]) /);
  return ago > 0 ? `${length} ago` : `in ${length}`;
}

export const latencyText = (ms: number | null | undefined) => texts.latencyText(ms, '–');
export const percentText = (percent: number | null | undefined) => texts.percentText(percent, '–');

/** `1 monitor`, `1,204 monitors`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/** `a, b and 3 more`. */
export function firstOf(texts: readonly string[], count: number): string {
  const more = texts.length - count;
  return `${texts.slice(0, count).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `weekly` as `Weekly`. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function numberText(value: number): string {
  return value.toLocaleString('en-GB');
}

/** ISO 8601 durations of the API (`PT1M30S`, `P1D`) in ms; undefined for what is none. */
export function durationMs(text: string): number | undefined {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text);
  if (match === null || !/\d/.test(text)) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return (weeks * 7 + days) * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
}

/** ms as an ISO 8601 duration: `PT1M30S`. */
export function isoDuration(ms: number): string {
  const total = Math.max(0, ms) / SECOND;
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor((total % 3_600) / 60), total % 60];
  const text = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${seconds ? `${seconds}S` : ''}`;
  return `PT${text || '0S'}`;
}

/** A moment in a zone, without the year where it is the current one: `22 Nov, 21:05`. */
export function momentText(atMs: number, nowMs: number, timeZone?: string, hasSeconds = false): string {
  const isThisYear = new Date(atMs).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  const time = writeTime(hasSeconds ? 'second' : 'minute', atMs, timeZone);
  return `${writeTime(isThisYear ? 'date' : 'day', atMs, timeZone)}, ${time}`;
}

/** A moment to the second in UTC: `2026-11-22 21:05:13 UTC`. */
export function utcText(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A moment to the second in the viewer's zone: `22 November 2026 at 22:05:13 CET`. */
export function exactText(atMs: number): string {
  return writeTime('exact', atMs);
}

/** `Sunday 22 November 2026` in the viewer's zone. */
export function dayText(atMs: number): string {
  return writeTime('weekday', atMs);
}

/** `14:05` in the viewer's zone. */
export function clockText(atMs: number): string {
  return writeTime('minute', atMs);
}

/** What an input for date and time shows of a moment in the zone of this browser. */
export function localText(ms: number): string {
  const at = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/**
 * The moment that the text of an input for date and time means, ISO 8601; the text itself if it is none.
 * @param meantMs what the text was made of: it counts where clocks show a time twice
 */
export function isoOfLocal(text: string, meantMs?: number): string {
  if (meantMs !== undefined && localText(meantMs) === text) return new Date(meantMs).toISOString();
  // Browsers take much else for a moment, and 31 February for 3 March.
  return dayOf(text.slice(0, 10)) === '' ? text : new Date(text).toISOString();
}

/** `until 14:05`, with the day where it is another one. */
export function untilText(at: string): string {
  const atMs = Date.parse(at);
  const isToday = new Date(atMs).toDateString() === new Date().toDateString();
  return `until ${isToday ? clockText(atMs) : momentText(atMs, Date.now())}`;
}
