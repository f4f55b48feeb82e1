import { DAY_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { momentOf, readLocalTime, readTimeZone } from '../local-times.js';
import { minuteOfWeek } from '../on-call/convert-schedule.js';
import type { SourceLists, SourceOverride, SourceReading, SourceRotation, SourceSchedule } from '../on-call/source.js';
import { DAY_MINUTES, WEEK_MINUTES, WEEKDAYS, type WeeklyTime } from '../on-call/weekly-times.js';
import { quoted } from '../import-report.js';
import { entryOf, idOf, numberOf, type Row, textOf, textsIn } from '../rows.js';

/** The days by the names of RFC 5545. */
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const UNITS: Readonly<Record<string, SourceRotation['unit']>> = { hourly: 'hour', daily: 'day', weekly: 'week' };
const UNIT_MINUTES = { hour: 60, day: DAY_MINUTES, week: WEEK_MINUTES } as const;

/** A shift is not possible here; the message gives the reason. */
class Impossible extends Error {}

export function readSchedules(lists: SourceLists, { report, nowMs }: SourceReading): SourceSchedule[] {
  const shifts = new Map(lists('on_call_shifts').map((shift) => [idOf(shift), shift]));
  return lists('schedules').flatMap((schedule): SourceSchedule[] => {
    const name = textOf(schedule, 'name') ?? idOf(schedule);
    if (textOf(schedule, 'type') === 'ical') {
      report.untaken('schedule', name, 'its shifts are in a calendar of another product');
      return [];
    }
    const ids = textsIn(schedule, 'shifts');
    const own = ids.map((id) => shifts.get(id)).filter((shift) => shift !== undefined);
    if (own.length < ids.length) report.partly('schedule', name, ['names shifts that do not exist']);
    const timezone =
      textOf(schedule, 'time_zone') ?? own.map((shift) => textOf(shift, 'time_zone')).find((zone) => zone) ?? 'UTC';
    const rotations: SourceRotation[] = [];
    const overrides: SourceOverride[] = [];
    for (const shift of readTimeZone(timezone) === null ? [] : own)
      try {
        const zone = zoneOf(shift, timezone);
        if (['single_event', 'override'].includes(textOf(shift, 'type') ?? ''))
          overrides.push(...readEvent(shift, zone));
        else rotations.push(...readRotations(shift, { zone, timezone, nowMs }));
      } catch (error) {
        if (!(error instanceof Impossible)) throw error;
        report.untaken('shift', `${textOf(shift, 'name') ?? idOf(shift)}" of "${name}`, error.message);
      }
    return [{ id: idOf(schedule), name, teamId: textOf(schedule, 'team_id'), timezone, rotations, overrides }];
  });
}

function zoneOf(shift: Row, timezone: string): string {
  const zone = readTimeZone(textOf(shift, 'time_zone') ?? timezone);
  if (zone === null)
    throw new Impossible(`its time zone ${quoted(textOf(shift, 'time_zone') ?? timezone)} is not known`);
  return zone;
}

function readEvent(shift: Row, zone: string): SourceOverride[] {
  const startMs = momentOf(localIn(shift, 'start')!, zone);
  const endMs = startMs + minutesIn(shift) * MINUTE_MS;
  const [first, ...others] = usersIn(shift);
  if (first === undefined) throw new Impossible('it has no people');
  if (others.length > 0) throw new Impossible('it has several people at once');
  return [{ personId: first, startMs, endMs, rotationIds: null }];
}

function readRotations(
  shift: Row,
  { zone, timezone, nowMs }: { zone: string; timezone: string; nowMs: number },
): SourceRotation[] {
  const unit = entryOf(UNITS, textOf(shift, 'frequency'));
  if (!unit) throw new Impossible(`its frequency is ${quoted(textOf(shift, 'frequency') ?? '')}`);
  if (hasItems(shift, 'by_month') || hasItems(shift, 'by_monthday')) throw new Impossible('it depends on the month');
  const isRolling = textOf(shift, 'type') === 'rolling_users';
  const start = localIn(shift, 'start')!;
  const until = localIn(shift, 'until');
  const every = numberOf(shift, 'interval') ?? 1;
  const times = timesOf(shift, { unit, every, start: minuteOfWeek(start), isRolling });
  const differences: string[] = [];
  if (zone !== timezone) differences.push(`is in ${timezone} as the schedule, and not in ${zone}`);
  const rotationStart = localIn(shift, 'rotation_start');
  if (rotationStart && momentOf(rotationStart, zone) > nowMs) differences.push(`begins before ${rotationStart}`);
  const byDay = hasItems(shift, 'by_day');
  const weekStart = DAYS.indexOf(textOf(shift, 'week_start') ?? 'SU');
  const rotation = {
    id: idOf(shift),
    name: textOf(shift, 'name') ?? idOf(shift),
    level: numberOf(shift, 'level') ?? 0,
    unit,
    every,
    ...(isRolling && byDay && unit === 'week' && weekStart >= 0 ? { handoffDay: WEEKDAYS[weekStart]! } : {}),
    startMs: momentOf(start, zone),
    endMs: until ? momentOf(until, zone) : null,
    times,
    differences,
  };
  if (!isRolling) {
    const users = usersIn(shift);
    if (users.length === 0) throw new Impossible('it has no people');
    // Each is on call all the time, whatever the length of a shift is.
    return users.map((user) => ({ ...rotation, unit: 'day', every: 1, participants: [user] }));
  }
  const turns = turnsOf(shift);
  const sizes = new Set(turns.map((people) => people.length));
  if (sizes.size > 1)
    differences.push('has only the first person of each turn: its turns have different numbers of people');
  const together = sizes.size > 1 ? 1 : turns[0]!.length;
  return Array.from({ length: together }, (_, place) => ({
    ...rotation,
    participants: turns.map((people) => people[place]!),
  }));
}

interface Frequency {
  unit: SourceRotation['unit'];
  every: number;
  /** Minute of the week of its first shift. */
  start: number;
  isRolling: boolean;
}

/** The times of the week at which somebody is on call by a shift. @throws Impossible where they are others in other weeks */
function timesOf(shift: Row, { unit, every, start, isRolling }: Frequency): WeeklyTime[] {
  const length = minutesIn(shift);
  const between = every * UNIT_MINUTES[unit];
  const byDay = hasItems(shift, 'by_day');
  if (!byDay && length === between) return [];
  if (unit === 'hour' || every !== 1)
    throw new Impossible('it leaves times between its shifts that are not the same every week');
  const days = byDay
    ? textsIn(shift, 'by_day').map((day) => DAYS.indexOf(day))
    : unit === 'day'
      ? DAYS.map((_, day) => day)
      : [Math.floor(start / DAY_MINUTES)];
  if (days.includes(-1)) throw new Impossible('its days of the week cannot be read');
  if (isRolling && !byDay && length > between) throw new Impossible('its shifts overlap each other');
  return days.map((day) => ({
    start: day * DAY_MINUTES + (start % DAY_MINUTES),
    length: Math.min(length, WEEK_MINUTES),
  }));
}

function turnsOf(shift: Row): string[][] {
  const turns = (Array.isArray(shift['rolling_users']) ? shift['rolling_users'] : [])
    .map((people: unknown) => textsIn({ people }, 'people'))
    .filter((people) => people.length > 0);
  if (turns.length === 0) throw new Impossible('it has no people');
  const first = (numberOf(shift, 'start_rotation_from_user_index') ?? 0) % turns.length;
  return [...turns.slice(first), ...turns.slice(0, first)];
}

const hasItems = (shift: Row, field: string): boolean => Array.isArray(shift[field]) && shift[field].length > 0;
const usersIn = (shift: Row): string[] => textsIn(shift, 'users');

/** The local time in a field, to the minute; undefined where there is none. @throws Impossible */
function localIn(shift: Row, field: 'start' | 'until' | 'rotation_start'): string | undefined {
  const text = textOf(shift, field);
  if (text === null && field !== 'start') return undefined;
  const local = readLocalTime(text);
  if (local === undefined) throw new Impossible(`its ${field} is no date`);
  return local;
}

function minutesIn(shift: Row): number {
  const ms = (numberOf(shift, 'duration') ?? 0) * SECOND_MS;
  if (ms < MINUTE_MS || ms > 366 * DAY_MS) throw new Impossible('its duration is not possible');
  return Math.floor(ms / MINUTE_MS);
}
