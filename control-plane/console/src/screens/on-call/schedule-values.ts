import type { LayerInput, TeamSchedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import { capitalized, countText } from '../../parts/format.js';

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type Day = (typeof DAYS)[number];

export interface LayerValues extends Pick<LayerInput, 'name' | 'holidays' | 'participants'> {
  rotation: { unit: 'hour' | 'day' | 'week'; every: number; handoffTime: string; handoffDay: Day };
  /** '' is left to the API. */
  startDate: string;
  /** '' is without end. */
  endDate: string;
  restrictions: { days: Day[]; start: string; end: string }[];
}

export interface ScheduleValues {
  name: string;
  timezone: string;
  layers: LayerValues[];
  holidays: string[];
  /** '' where the holidays are the schedule's own. */
  holidayCalendarUrl: string;
}

export function newLayer(count: number, participants: string[]): LayerValues {
  return {
    name: `Layer ${count + 1}`,
    rotation: { unit: 'week', every: 1, handoffTime: '09:00', handoffDay: 'monday' },
    startDate: '',
    endDate: '',
    restrictions: [],
    holidays: 'ignore',
    participants,
  };
}

/** A schedule as its form has it. @param people the ids of the team: who took turns may all have left */
export function valuesOf(
  { name, timezone, layers, holidays, holidayCalendarUrl }: TeamSchedule,
  people: string[],
): ScheduleValues {
  return {
    name,
    timezone,
    holidays,
    holidayCalendarUrl: holidayCalendarUrl ?? '',
    layers:
      layers.length === 0
        ? [newLayer(0, people)]
        : layers.map(({ rotation, endDate, participants, ...layer }) => ({
            ...layer,
            rotation: { ...rotation, handoffDay: rotation.handoffDay ?? 'monday' },
            endDate: endDate ?? '',
            participants: participants.length > 0 ? participants : people,
          })),
  };
}

/** Returns what the API is sent. */
export function scheduleBody({ layers, holidays, holidayCalendarUrl, ...schedule }: ScheduleValues) {
  const url = holidayCalendarUrl.trim();
  return {
    ...schedule,
    holidays: url === '' ? holidays : [],
    holidayCalendarUrl: url || null,
    layers: layers.map(({ rotation, startDate, endDate, ...layer }) => ({
      ...layer,
      rotation: { ...rotation, handoffDay: rotation.unit === 'week' ? rotation.handoffDay : null },
      ...(startDate !== '' && { startDate }),
      endDate: endDate || null,
    })),
  };
}

/** Days in few words: `Mon – Fri`, `Sat, Sun`, `every day`. */
export function daysText(days: readonly string[]): string {
  if (days.length === DAYS.length) return 'every day';
  const places = days.map((day) => DAYS.indexOf(day as Day)).toSorted((a, b) => a - b);
  const short = (place: number) => capitalized(DAYS[place]!.slice(0, 3));
  const [from, to] = [places[0] ?? 0, places.at(-1) ?? 0];
  return places.length > 2 && to - from === places.length - 1
    ? `${short(from)} – ${short(to)}`
    : places.map(short).join(', ');
}

/** A layer in one sentence. */
export function layerText({ rotation, restrictions, participants, holidays }: TeamSchedule['layers'][number]): string {
  const { unit, every, handoffTime, handoffDay } = rotation;
  const length = every === 1 ? `every ${unit}` : `every ${every} ${unit}s`;
  const times = restrictions.map(({ days, start, end }) => `${daysText(days)} ${start} – ${end}`);
  return [
    `${length}${handoffDay ? `, on ${capitalized(handoffDay)}` : ''} at ${handoffTime}`,
    countText(participants.length, 'person', 'people'),
    ...(times.length > 0 ? [`only ${times.join(' and ')}`] : []),
    ...(holidays === 'ignore' ? [] : [holidays === 'skip' ? 'not on holidays' : 'only on holidays']),
  ].join('; ');
}
