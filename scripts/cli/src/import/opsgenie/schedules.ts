import { groupBy } from '@watchpost/shared/group-by';
import type { SourceLists, SourceOverride, SourceReading, SourceRotation, SourceSchedule } from '../on-call/source.js';
import { DAY_MINUTES, WEEKDAYS, weeklyTime, type WeeklyTime } from '../on-call/weekly-times.js';
import { quoted } from '../import-report.js';
import { entryOf, idOf, momentIn, numberOf, objectOf, type Row, rowsIn, textOf } from '../rows.js';

const UNITS: Readonly<Record<string, SourceRotation['unit']>> = { hourly: 'hour', daily: 'day', weekly: 'week' };

export function readSchedules(lists: SourceLists, { report, nowMs }: SourceReading): SourceSchedule[] {
  const known = new Set(lists('schedules').map(idOf));
  const overrides = groupBy(
    lists('overrides').flatMap((one) => readOverride(one, known, { report, nowMs })),
    ({ scheduleId }) => scheduleId,
  );
  return lists('schedules').flatMap((schedule): SourceSchedule[] => {
    const name = textOf(schedule, 'name') ?? idOf(schedule);
    if (schedule['enabled'] === false) {
      report.untaken('schedule', name, 'it is not enabled');
      return [];
    }
    return [
      {
        id: idOf(schedule),
        name,
        teamId: textOf(objectOf(schedule, 'ownerTeam') ?? {}, 'id'),
        timezone: textOf(schedule, 'timezone') ?? 'UTC',
        rotations: rowsIn(schedule, 'rotations').flatMap((rotation) => readRotation(rotation, name, report)),
        overrides: overrides.get(idOf(schedule)) ?? [],
      },
    ];
  });
}

function readRotation(rotation: Row, schedule: string, report: SourceReading['report']): SourceRotation[] {
  const name = textOf(rotation, 'name') ?? idOf(rotation);
  const untaken = (reason: string): [] => {
    report.untaken('rotation', `${name}" of "${schedule}`, reason);
    return [];
  };
  const unit = entryOf(UNITS, textOf(rotation, 'type'));
  const startMs = momentIn(rotation, 'startDate');
  if (!unit) return untaken(`its type is ${quoted(textOf(rotation, 'type') ?? '')}`);
  if (startMs === null) return untaken('its start is no date');
  const endMs = momentIn(rotation, 'endDate');
  if (endMs === null && (rotation['endDate'] ?? null) !== null) return untaken('its end is no date');
  const every = (rotation['length'] ?? null) === null ? 1 : numberOf(rotation, 'length');
  if (every === null) return untaken('its length is no number');
  const times = readTimes(objectOf(rotation, 'timeRestriction'));
  if (times === null) return untaken('its time restriction cannot be read');
  const participants = rowsIn(rotation, 'participants');
  const users = participants.filter((one) => textOf(one, 'type') === 'user');
  const others = participants.filter((one) => !users.includes(one));
  const kinds = [...new Set(others.map((one) => textOf(one, 'type') ?? 'nothing'))].toSorted();
  return [
    {
      id: idOf(rotation),
      name,
      level: 0,
      unit,
      every,
      startMs,
      endMs,
      participants: users.map(idOf),
      times,
      differences: kinds.length === 0 ? [] : [`is without its turns of ${kinds.join(' and ')}: only people take turns`],
    },
  ];
}

/** @returns null where it is none */
function readTimes(restriction: Row | undefined): WeeklyTime[] | null {
  if (!restriction) return [];
  const daily = objectOf(restriction, 'restriction');
  if (textOf(restriction, 'type') === 'time-of-day') {
    const [start, end] = [minuteIn(daily ?? {}, 'start'), minuteIn(daily ?? {}, 'end')];
    if (start === null || end === null) return null;
    return WEEKDAYS.map((_, day) =>
      weeklyTime(day * DAY_MINUTES + start, day * DAY_MINUTES + (end > start ? end : end + DAY_MINUTES)),
    );
  }
  const times = rowsIn(restriction, 'restrictions').map((one) => {
    const [start, end] = [minuteIn(one, 'start'), minuteIn(one, 'end')];
    const [from, to] = [dayIn(one, 'startDay'), dayIn(one, 'endDay')];
    return start === null || end === null || from < 0 || to < 0
      ? null
      : weeklyTime(from * DAY_MINUTES + start, to * DAY_MINUTES + end);
  });
  const sound = times.filter((one) => one !== null);
  return sound.length === 0 || sound.length < times.length ? null : sound;
}

function minuteIn(row: Row, edge: 'start' | 'end'): number | null {
  const [hour, minute] = [numberOf(row, `${edge}Hour`), numberOf(row, `${edge}Min`) ?? 0];
  const sound = Number.isInteger(hour) && hour! >= 0 && hour! <= 24 && Number.isInteger(minute) && minute >= 0;
  return sound && minute < 60 ? hour! * 60 + minute : null;
}

const dayIn = (row: Row, field: string): number =>
  (WEEKDAYS as readonly string[]).indexOf((textOf(row, field) ?? '').toLowerCase());

/** @returns none where it is over, or the report names it */
function readOverride(
  override: Row,
  known: ReadonlySet<string>,
  { report, nowMs }: Pick<SourceReading, 'report' | 'nowMs'>,
): (SourceOverride & { scheduleId: string })[] {
  const [startMs, endMs] = [momentIn(override, 'startDate'), momentIn(override, 'endDate')];
  const scheduleId = idOf(objectOf(override, '_parent') ?? {});
  const untaken = (reason: string): [] => {
    report.untaken('override', textOf(override, 'alias') ?? scheduleId, reason);
    return [];
  };
  if (startMs === null || endMs === null) return untaken('its times are no dates');
  if (endMs <= nowMs) return [];
  if (endMs <= startMs) return untaken('it ends before it begins');
  if (!known.has(scheduleId)) return untaken('its schedule is not there');
  const rotations = rowsIn(override, 'rotations').map(idOf);
  return [
    {
      scheduleId,
      personId: idOf(objectOf(override, 'user') ?? {}),
      startMs,
      endMs,
      rotationIds: rotations.length === 0 ? null : rotations,
    },
  ];
}
