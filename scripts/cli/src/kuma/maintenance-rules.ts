import { quoted } from '../import/import-report.js';
import { flagOf, jsonOf, numberFrom, numberOf, type Row, textOf } from '../import/rows.js';
import { dayAfter, readLocalTime } from '../import/local-times.js';

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const DAY_S = 86_400;
const MOST_INTERVAL = 400;

/** On which days, when and for how long a window recurs. */
export interface RecurringWindow {
  /** The parts of an RRULE. */
  rule: string;
  /** Like 02:00. */
  time: string;
  durationS: number;
  isDay(date: string): boolean;
  differences: string[];
}

/** Reads a strategy of recurring maintenance. @returns the reason where it cannot recur like that here */
export function readRecurrence(row: Row): RecurringWindow | string {
  const strategy = textOf(row, 'strategy');
  if (strategy === 'cron') return readCron(row);
  const time = readTime(textOf(row, 'start_time'));
  const end = readTime(textOf(row, 'end_time'));
  if (time === undefined || end === undefined) return 'it has no times of day';
  const durationS = (secondsOf(end) - secondsOf(time) + DAY_S) % DAY_S || DAY_S;
  const days =
    strategy === 'recurring-interval'
      ? everyDays(row)
      : strategy === 'recurring-weekday'
        ? onWeekdays(jsonOf(row, 'weekdays'))
        : strategy === 'recurring-day-of-month'
          ? onDaysOfMonth(jsonOf(row, 'days_of_month'))
          : `its strategy ${quoted(strategy ?? '')} is not known`;
  return typeof days === 'string' ? days : { ...days, time, durationS };
}

type Days = Pick<RecurringWindow, 'rule' | 'isDay' | 'differences'>;

function everyDays(row: Row): Days | string {
  const interval = numberOf(row, 'interval_day') ?? 1;
  if (!Number.isInteger(interval) || interval < 1 || interval > MOST_INTERVAL)
    return `its interval is not 1 to ${MOST_INTERVAL} days`;
  const last = readLocalTime(textOf(row, 'last_start_date')) ?? readLocalTime(textOf(row, 'start_date'));
  const first = last?.slice(0, 10);
  return {
    rule: `FREQ=DAILY${interval === 1 ? '' : `;INTERVAL=${interval}`}`,
    isDay: (date) =>
      first === undefined || Math.round((Date.parse(date) - Date.parse(first)) / (DAY_S * 1_000)) % interval === 0,
    differences: first === undefined && interval > 1 ? ['its first day is not known: correct startsAt'] : [],
  };
}

function onWeekdays(list: unknown): Days | string {
  const numbers = Array.isArray(list) ? list.map((day) => numberFrom(day) ?? -1) : [];
  const days = [
    ...new Set(numbers.filter((day) => Number.isInteger(day) && day >= 0 && day <= 7).map((day) => day % 7)),
  ];
  if (days.length === 0) return 'it has no days of the week';
  const inOrder = days.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  return {
    rule: `FREQ=WEEKLY;BYDAY=${inOrder.map((day) => WEEKDAYS[day]).join(',')}`,
    isDay: (date) => days.includes(new Date(`${date}T00:00Z`).getUTCDay()),
    differences: [],
  };
}

function onDaysOfMonth(list: unknown): Days | string {
  const all: unknown[] = Array.isArray(list) ? list : [];
  const days = [...new Set(all.flatMap((day) => (day === 'lastDay1' || day === 'L' ? [-1] : [numberFrom(day) ?? 0])))];
  const sound = days.filter((day) => Number.isInteger(day) && (day === -1 || (day >= 1 && day <= 31)));
  if (sound.length === 0) return 'it has no days of the month that can be taken over';
  return {
    rule: `FREQ=MONTHLY;BYMONTHDAY=${sound.join(',')}`,
    isDay: (date) => sound.includes(Number(date.slice(8))) || (sound.includes(-1) && dayAfter(date, 1).endsWith('-01')),
    differences:
      sound.length < days.length
        ? [
            `is not on ${all.filter((day) => typeof day === 'string' && /^lastDay[^1]/.test(day)).join(', ') || 'days that do not exist'}`,
          ]
        : [],
  };
}

/** Expressions that name a minute, an hour, and days of the week or of the month. */
function readCron(row: Row): RecurringWindow | string {
  const cron = textOf(row, 'cron') ?? '';
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = cron.split(/\s+/);
  const refusal = `its cron expression ${quoted(cron)} cannot be a rule of days`;
  const isPlain = /^[0-5]?\d$/.test(minute) && /^(?:[01]?\d|2[0-3])$/.test(hour) && month === '*' && more.length === 0;
  const durationS = numberOf(row, 'duration') ?? 0;
  if (!isPlain || durationS <= 0) return refusal;
  const numbers = (text: string) => (/^\d+(?:,\d+)*$/.test(text) ? text.split(',').map(Number) : undefined);
  const monthDays = day === 'L' ? ['L'] : numbers(day);
  const days =
    day === '*' && weekday === '*'
      ? everyDays({})
      : day === '*' && numbers(weekday)
        ? onWeekdays(numbers(weekday))
        : weekday === '*' && monthDays
          ? onDaysOfMonth(monthDays)
          : refusal;
  if (typeof days === 'string') return days;
  return { ...days, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, durationS };
}

function readTime(text: string | null): string | undefined {
  return /^((?:[01]\d|2[0-3]):[0-5]\d)/.exec(text ?? '')?.[1];
}

const secondsOf = (time: string) => Number(time.slice(0, 2)) * 3_600 + Number(time.slice(3)) * 60;

export const isActive = (row: Row) => row['active'] === undefined || flagOf(row, 'active');
