import { dayOf } from '../../data/days.js';
import { countText } from '../../parts/format.js';

/** A recurrence that the form has fields for. */
export interface Repeat {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  interval: number;
  /** Weekly: `MO` to `SU`. Monthly: at most one, as `2SU` or `-1FR`. None: the day of the start. */
  days: readonly string[];
  /** Monthly, in place of `days`: 1 to 31, or -1 for the last day. */
  monthDay: number | undefined;
  count: number | undefined;
  /** The last day, `2027-03-28`. */
  until: string | undefined;
}

const UNITS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' } as const;
/** In the order of the week. */
export const DAYS: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const ORDINALS: Readonly<Record<string, string>> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  '-1': 'last',
};
const READ = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'COUNT', 'UNTIL'];

/** @returns what an RRULE means; undefined where it has something that the form has no field for */
export function readRepeat(rule: string): Repeat | undefined {
  const parts = Object.fromEntries(rule.split(';').map((part) => part.split('=') as [string, string]));
  const { FREQ, INTERVAL = '1', BYDAY, BYMONTHDAY, COUNT, UNTIL } = parts;
  const days = BYDAY?.split(',') ?? [];
  const until = UNTIL?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  const isMonthly = FREQ === 'MONTHLY';
  const hasField =
    (FREQ === 'DAILY' || FREQ === 'WEEKLY' || isMonthly) &&
    Object.keys(parts).every((name) => READ.includes(name)) &&
    (BYMONTHDAY === undefined || (isMonthly && BYDAY === undefined && /^(-1|\d+)$/.test(BYMONTHDAY))) &&
    (isMonthly
      ? days.length <= 1 && days.every((day) => /^(-1|[1-5])[A-Z]{2}$/.test(day))
      : days.every((day) => FREQ === 'WEEKLY' && day in DAYS)) &&
    (until === undefined || (until !== UNTIL && dayOf(until) !== ''));
  if (!hasField) return undefined;
  return {
    freq: FREQ,
    interval: Number(INTERVAL),
    days,
    monthDay: BYMONTHDAY === undefined ? undefined : Number(BYMONTHDAY),
    count: COUNT === undefined ? undefined : Number(COUNT),
    until,
  };
}

/** @returns the RRULE, without what is the default */
export function ruleOf({ freq, interval, days, monthDay, count, until }: Repeat): string {
  const parts = [
    ['FREQ', freq],
    ['INTERVAL', interval === 1 ? '' : interval],
    [
      'BYDAY',
      freq === 'DAILY'
        ? ''
        : Object.keys(DAYS)
            .flatMap((day) => days.filter((each) => each.endsWith(day)))
            .join(','),
    ],
    ['BYMONTHDAY', freq === 'MONTHLY' ? monthDay : ''],
    ['COUNT', count],
    ['UNTIL', until?.replaceAll('-', '')],
  ];
  return parts.flatMap(([name, value]) => (value ? [`${name}=${value}`] : [])).join(';');
}

/** A recurrence in words: `Every 2 weeks on Monday and Friday, 10 times`. */
export function repeatText(rule: string | null): string {
  if (rule === null) return 'Once';
  const repeat = readRepeat(rule);
  if (repeat === undefined) return `By the rule ${rule}`;
  const { freq, interval, days, monthDay, count, until } = repeat;
  const every = interval === 1 ? UNITS[freq] : countText(interval, UNITS[freq]);
  const on = days.length > 0 ? ` on ${new Intl.ListFormat('en-GB').format(days.map(dayText))}` : '';
  const at = monthDay === undefined ? '' : ` on ${monthDay < 0 ? 'the last day' : `day ${monthDay}`}`;
  const end =
    count !== undefined ? `, ${countText(count, 'time')}` : until !== undefined ? `, until ${dateText(until)}` : '';
  return `Every ${every}${on}${at}${end}`;
}

function dayText(day: string): string {
  const name = DAYS[day.slice(-2)]!;
  return day.length === 2 ? name : `the ${ORDINALS[day.slice(0, -2)]} ${name}`;
}

function dateText(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(date));
}

/** The monthly recurrences that contain a start, with the words for each. */
export function monthlyChoices(startsAt: string): { value: string; label: string }[] {
  const start = new Date(`${startsAt.slice(0, 10)}T00:00Z`);
  if (Number.isNaN(start.getTime())) return [];
  const date = start.getUTCDate();
  const day = Object.keys(DAYS)[(start.getUTCDay() + 6) % 7]!;
  const nth = `${Math.ceil(date / 7)}${day}`;
  const lastDate = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
  return [
    { value: '', label: `on day ${date}` },
    ...(date === lastDate ? [{ value: '-1', label: 'on the last day' }] : []),
    { value: nth, label: `on ${dayText(nth)}` },
    ...(date + 7 > lastDate ? [{ value: `-1${day}`, label: `on ${dayText(`-1${day}`)}` }] : []),
  ];
}
