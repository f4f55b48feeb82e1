import { dayText } from '@watchpost/shared/design/texts';
import { addDays, dayOf, sameDayOf } from '../data/days.js';

/** A day is `2026-11-22`, a time `10:00`, both `2026-11-22T10:00`: as the inputs of browsers have them. */
export type DateKind = 'date' | 'time' | 'datetime-local';

/** Each is an example of how its kind is written. */
export const EXAMPLES: Readonly<Record<DateKind, string>> = {
  date: '22 Nov 2026',
  time: '10:00',
  'datetime-local': '22 Nov 2026, 10:00',
};

/** @returns the value as people read it: `22 Nov 2026, 10:00`; what is no value, as it is */
export function dateText(value: string): string {
  const day = dayOf(value.slice(0, 10));
  if (day === '') return value;
  const text = dayText(Date.parse(day));
  return value.length > 10 ? `${text}, ${value.slice(11)}` : text;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const RELATIVE = ['yesterday', 'today', 'tomorrow'];
const TIME = /(?:^|[\s,T])(?:at\s+)?(\d{1,2})(?:[:.](\d\d))?\s*([ap]m)?$/i;

/**
 * Reads what somebody typed: `22 Nov 2026`, `22 November`, `22/11/2026`, `22.11.2026`, `2026-11-22`, `today`; `9:30`, `21.05`,
 * `9 pm`. Days are before months, as the console writes them.
 * @param today a day without a year is in its year
 * @param former a day that is typed without a time keeps the time of this value
 * @returns undefined for what is nothing of the kind
 */
export function readDate(kind: DateKind, typed: string, today: string, former = ''): string | undefined {
  const text = typed.trim();
  if (kind === 'date') return readDay(text, today);
  const match = TIME.exec(text);
  // In a date, a number alone is no time.
  const isTime = match !== null && (kind === 'time' || match[2] !== undefined || match[3] !== undefined);
  const time = isTime ? readTime(match) : undefined;
  if (kind === 'time') return match?.index === 0 ? time : undefined;
  if (isTime && time === undefined) return undefined;
  const day = readDay((isTime ? text.slice(0, match.index) : text).replace(/[\s,]+$/, ''), today);
  return day && `${day}T${time ?? (/T(\d\d:\d\d)/.exec(former)?.[1] || '00:00')}`;
}

function readDay(text: string, today: string): string | undefined {
  const relative = RELATIVE.indexOf(text.toLowerCase());
  if (relative >= 0) return addDays(today, relative - 1);
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const [, day, month, year] = /^(\d{1,2})[\s./]+([a-z]{3,}|\d{1,2})\.?(?:[\s./,]+(\d{4}))?$/i.exec(text) ?? [];
  const name = MONTHS.indexOf((month ?? '').slice(0, 3).toLowerCase());
  const parts = isoYear
    ? [isoYear, isoMonth, isoDay]
    : [year ?? today.slice(0, 4), name >= 0 ? String(name + 1) : month, day];
  return dayOf(parts.map((part) => (part ?? '').padStart(2, '0')).join('-')) || undefined;
}

function readTime([, hours, minutes = '00', half]: RegExpExecArray): string | undefined {
  const typed = Number(hours);
  if (half !== undefined && (typed < 1 || typed > 12)) return undefined;
  const hour = half === undefined ? typed : (typed % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return hour < 24 && Number(minutes) < 60 ? `${String(hour).padStart(2, '0')}:${minutes}` : undefined;
}

/** Typing has come to an end that can be shown at once: a whole year, or minutes. */
export function isWhole(typed: string): boolean {
  return /\d{4}$|\d{4}-\d\d-\d\d$|:\d\d$/.test(typed.trim());
}

/** The day that a key leads to from another one in a calendar (WAI-ARIA APG, date picker dialog); undefined for other keys. */
export function dayByKey(key: string, isShift: boolean, day: string): string | undefined {
  const weekday = (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -weekday,
    End: 6 - weekday,
  };
  if (steps[key] !== undefined) return addDays(day, steps[key]);
  const months = { PageUp: -1, PageDown: 1 }[key];
  return months === undefined ? undefined : sameDayOf(day, isShift ? 12 * months : months);
}
