import { cutText } from '@watchpost/shared/storable-text';
import { MINUTE_MS } from '@watchpost/shared/time';
import { dayAfter, localTimeOf } from '../local-times.js';
import { nameFor } from '../names.js';
import type { SourceRotation, SourceSchedule } from './source.js';
import { DAY_MINUTES, overlap, restrictionsOf, skipsShifts, WEEK_MINUTES, type WeeklyTime } from './weekly-times.js';

/** A schedule has at most so many rotations, which are compared with each other. */
const MOST_ROTATIONS = 100;
const MOST_LAYERS = 8;
const MOST_EVERY = 52;
const MOST_PARTICIPANTS = 50;
const MOST_RESTRICTIONS = 20;
/** The form of a local time that can be planned. */
const PLANNABLE = /^(?:19[7-9]\d|20\d\d|21\d\d)-/;
const UNIT_MINUTES = { hour: 60, day: DAY_MINUTES, week: WEEK_MINUTES } as const;

export interface DocumentLayer {
  name: string;
  rotation: { unit: 'hour' | 'day' | 'week'; every: number; handoffTime: string; handoffDay?: string };
  startDate: string;
  endDate?: string;
  restrictions?: ReturnType<typeof restrictionsOf>;
  /** Email addresses. */
  participants: string[];
}

export interface ConvertedSchedule {
  /** Those of one schedule each. Several: rotations overlap, and all of their people are on call. */
  groups: { layers: DocumentLayer[]; rotationIds: Set<string> }[];
  differences: string[];
}

interface Converted {
  rotation: SourceRotation;
  layer: DocumentLayer;
}

/**
 * Makes layers of the rotations of a schedule. Later layers cover earlier ones, and one person is on call by a schedule, so
 * rotations that overlap at one level become schedules beside each other, under the same rotations of higher levels.
 * @param emailOf undefined where a person is not taken over
 */
export function convertSchedule(
  { rotations, timezone }: SourceSchedule,
  emailOf: (personId: string) => string | undefined,
  nowMs: number,
): ConvertedSchedule {
  const differences: string[] = [];
  const layers: Converted[] = [];
  if (rotations.length > MOST_ROTATIONS)
    differences.push(`has more than ${MOST_ROTATIONS} rotations, and loses the rest`);
  for (const rotation of rotations.slice(0, MOST_ROTATIONS)) {
    if (rotation.endMs !== null && rotation.endMs <= nowMs) continue;
    const converted = convertRotation(rotation, timezone, emailOf);
    differences.push(...converted.differences.map((one) => `rotation "${cutText(rotation.name, 100)}" ${one}`));
    if (converted.layer) layers.push({ rotation, layer: converted.layer });
  }
  const groups = sideBySide(layers).map((group) => {
    if (group.length > MOST_LAYERS)
      differences.push(`has ${group.length} rotations, and only the first ${MOST_LAYERS} are taken over`);
    const kept = group.slice(0, MOST_LAYERS);
    return { layers: kept.map(({ layer }) => layer), rotationIds: new Set(kept.map(({ rotation }) => rotation.id)) };
  });
  if (groups.length > 1) differences.push(`becomes ${groups.length} schedules, because its rotations overlap`);
  return { groups, differences };
}

function convertRotation(
  {
    name,
    unit: givenUnit,
    every: givenEvery,
    startMs,
    endMs,
    handoffDay,
    participants,
    times,
    differences: known,
  }: SourceRotation,
  timezone: string,
  emailOf: (personId: string) => string | undefined,
): { layer?: DocumentLayer; differences: string[] } {
  const untaken = (reason: string) => ({ differences: [...known, `is not taken over: ${reason}`] });
  const length = lengthOf(givenUnit, givenEvery);
  if (!length) return untaken(`a shift of ${givenEvery} ${givenUnit}s is not possible`);
  const differences = [...known];
  const emails = participants.map(emailOf);
  const people = [...new Set(emails.filter((email) => email !== undefined))];
  if (people.length === 0) return untaken('none of its people is taken over');
  if (emails.includes(undefined)) differences.push('is without the turns of those who are not taken over');
  if (people.length < emails.filter((email) => email !== undefined).length)
    differences.push('has each person once in a round: further turns of the same person are left out');
  if (people.length > MOST_PARTICIPANTS) differences.push(`has only its first ${MOST_PARTICIPANTS} people`);
  const start = localTimeOf(startMs, timezone);
  const end = endMs === null ? undefined : localTimeOf(endMs, timezone);
  if (!PLANNABLE.test(start) || (end !== undefined && !PLANNABLE.test(end)))
    return untaken('its dates are out of range');
  const [startDate, handoffTime] = start.split('T') as [string, string];
  const endDate = end && lastDay(end, handoffTime);
  if (endDate !== undefined && end!.slice(11) !== handoffTime)
    differences.push(`ends at the next handoff, on ${endDate} at ${handoffTime}`);
  if (endDate !== undefined && endDate <= startDate) return untaken('it ends where it begins');
  const restrictions = restrictionsOf(times);
  if (restrictions.length > MOST_RESTRICTIONS)
    return untaken(`it has more than ${MOST_RESTRICTIONS} times of the week`);
  if (times.length > 0 && people.length > 1 && countsOnlySome(start, length, times))
    differences.push('has whole shifts outside its times, and turns do not count these: compare it by --verify');
  return {
    layer: {
      name: nameFor(name, 'Rotation'),
      rotation: { ...length, handoffTime, ...(handoffDay === undefined ? {} : { handoffDay }) },
      startDate,
      ...(endDate === undefined ? {} : { endDate }),
      ...(restrictions.length > 0 ? { restrictions } : {}),
      participants: people.slice(0, MOST_PARTICIPANTS),
    },
    differences,
  };
}

/** The first shift of weeks ends at the first handoff day, after one week, so longer ones are days. */
function lengthOf(
  unit: SourceRotation['unit'],
  every: number,
): { unit: SourceRotation['unit']; every: number } | undefined {
  if (!Number.isInteger(every) || every < 1) return undefined;
  if (unit === 'week' && every > 1) return lengthOf('day', 7 * every);
  if (every <= MOST_EVERY) return { unit, every };
  return unit === 'hour' && every % 24 === 0 ? lengthOf('day', every / 24) : undefined;
}

function countsOnlySome(
  start: string,
  { unit, every }: { unit: SourceRotation['unit']; every: number },
  times: readonly WeeklyTime[],
): boolean {
  return skipsShifts(times, minuteOfWeek(start), every * UNIT_MINUTES[unit]);
}

/** @param local like 2027-03-28T02:00 */
export function minuteOfWeek(local: string): number {
  const minutes = Date.parse(`${local}Z`) / MINUTE_MS;
  // 1970-01-05 was a Monday.
  return (((minutes - 4 * DAY_MINUTES) % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES;
}

/** The day at whose handoff a layer ends that must not end before this. */
function lastDay(end: string, handoffTime: string): string {
  const [date, time] = end.split('T') as [string, string];
  return time <= handoffTime ? date : dayAfter(date, 1);
}

/** Groups of rotations of which one at a time counts: by level, then as they are given. */
function sideBySide(all: readonly Converted[]): Converted[][] {
  const sorted = all.toSorted((a, b) => a.rotation.level - b.rotation.level);
  const places = new Map<Converted, number>();
  for (const one of sorted) {
    const taken = new Set(
      [...places].filter(([other]) => isParallel(one.rotation, other.rotation)).map(([, place]) => place),
    );
    let place = 0;
    while (taken.has(place)) place++;
    places.set(one, place);
  }
  const count = Math.max(0, ...[...places.values()].map((place) => place + 1));
  return Array.from({ length: count }, (_, group) => {
    const own = sorted.filter((one) => places.get(one) === group);
    const lowest = Math.min(...own.map(({ rotation }) => rotation.level));
    // At one level those of the group itself come last, so that they count.
    return sorted
      .filter((one) => places.get(one) === group || one.rotation.level > lowest)
      .toSorted(
        (a, b) =>
          a.rotation.level - b.rotation.level || Number(places.get(a) === group) - Number(places.get(b) === group),
      );
  });
}

function isParallel(a: SourceRotation, b: SourceRotation): boolean {
  return (
    a.level === b.level &&
    a.startMs < (b.endMs ?? Infinity) &&
    b.startMs < (a.endMs ?? Infinity) &&
    overlap(a.times, b.times)
  );
}
