/** The recurrence of a maintenance window: the part of RFC 5545 §3.3.10 that windows take. */
export interface Recurrence {
  frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  interval: number;
  byDay: readonly WeekdayRule[];
  /** 1 to 31, or -31 to -1 counted from the end of the month. */
  byMonthDay: readonly number[];
  count: number | null;
  until: RecurrenceEnd | null;
}

export interface WeekdayRule {
  /** 0 is Monday. */
  weekday: number;
  /** Which one of the month, negative from its end; null: each. */
  ordinal: number | null;
}

/** The last moment at which an occurrence may begin, inclusive. */
export type RecurrenceEnd = { kind: 'instant'; ms: number } | { kind: 'local'; text: string };

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const PARTS = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'COUNT', 'UNTIL'];
const MAX_INTERVAL = 400;
const MAX_COUNT = 10_000;

/** Reads a rule. @returns the rule, or everything that is wrong with the text, as the ends of sentences */
export function parseRecurrence(text: string): { rule: Recurrence } | { faults: string[] } {
  const faults: string[] = [];
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const [, name, value] = /^([A-Z]+)=(.+)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) faults.push('must be parts like FREQ=WEEKLY, separated by `;`');
    else if (!PARTS.includes(name)) faults.push(`must have no part but ${PARTS.join(', ')}: ${name.slice(0, 20)}`);
    else if (parts.has(name)) faults.push(`must name ${name} once`);
    else parts.set(name, value);
  }
  const frequency = (['DAILY', 'WEEKLY', 'MONTHLY'] as const).find((known) => known === parts.get('FREQ'));
  if (frequency === undefined) faults.push('must have FREQ=DAILY, FREQ=WEEKLY or FREQ=MONTHLY');
  const numberOf = (name: string, most: number): number | null => {
    const value = parts.get(name);
    if (value === undefined) return null;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
    if (number < 1 || number > most) faults.push(`must have ${name} from 1 to ${most}`);
    return number;
  };
  const interval = numberOf('INTERVAL', MAX_INTERVAL) ?? 1;
  const count = numberOf('COUNT', MAX_COUNT);
  const byDay = (parts.get('BYDAY')?.split(',') ?? []).flatMap((day): WeekdayRule[] => {
    const [, ordinal, name] = /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/.exec(day) ?? [];
    if (name === undefined) faults.push('must have BYDAY of weekdays like MO, or 1MO and -1FR where it is monthly');
    else if (ordinal !== undefined && frequency !== 'MONTHLY')
      faults.push('must number the days of BYDAY only where it is MONTHLY');
    else return [{ weekday: WEEKDAYS.indexOf(name), ordinal: ordinal === undefined ? null : Number(ordinal) }];
    return [];
  });
  const byMonthDay = (parts.get('BYMONTHDAY')?.split(',') ?? []).flatMap((day) => {
    const number = /^[+-]?\d{1,2}$/.test(day) ? Number(day) : 0;
    if (number !== 0 && Math.abs(number) <= 31) return [number];
    faults.push('must have BYMONTHDAY of days from 1 to 31, or -31 to -1 from the end of the month');
    return [];
  });
  if (byMonthDay.length > 0 && frequency === 'WEEKLY') faults.push('must not have BYMONTHDAY where it is WEEKLY');
  const end = parts.get('UNTIL');
  const until = end === undefined ? null : parseEnd(end);
  if (end !== undefined && until === null)
    faults.push('must have UNTIL like 20270401, 20270401T020000 or 20270401T020000Z');
  if (end !== undefined && parts.has('COUNT')) faults.push('must not have both COUNT and UNTIL');
  if (faults.length > 0 || frequency === undefined) return { faults: [...new Set(faults)] };
  return { rule: { frequency, interval, byDay, byMonthDay, count, until } };
}

/** A date alone is the whole of that day, local time without `Z` is in the zone of the window. */
function parseEnd(text: string): RecurrenceEnd | null {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '23', minute = '59', second = '59', zone] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const ms = Date.parse(`${local}Z`);
  // A date that does not exist, like 30 February, would be carried into the next month.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(local)) return null;
  return zone === undefined ? { kind: 'local', text: local } : { kind: 'instant', ms };
}
