/** In the order of the ISO week. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const DAY_MINUTES = 1_440;
export const WEEK_MINUTES = 7 * DAY_MINUTES;

export interface WeeklyTime {
  /** Minutes after the beginning of Monday. */
  start: number;
  /** Minutes, at most a week. */
  length: number;
}

interface Restriction {
  days: string[];
  start: string;
  end: string;
}

/** From one time of the week to another one, which is after it. */
export function weeklyTime(start: number, end: number): WeeklyTime {
  return { start, length: (((end - start) % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES || WEEK_MINUTES };
}

/** The restrictions of a layer for these times; each of them lasts at most a day. None: at all times. */
export function restrictionsOf(times: readonly WeeklyTime[]): Restriction[] {
  if (times.some(({ length }) => length >= WEEK_MINUTES)) return [];
  const days = new Map<string, Set<number>>();
  for (const { start, length } of times)
    for (let from = start; from < start + length; from += DAY_MINUTES) {
      const end = Math.min(from + DAY_MINUTES, start + length);
      const key = `${timeText(from)} ${timeText(end)}`;
      days.set(key, (days.get(key) ?? new Set()).add(Math.floor(from / DAY_MINUTES) % 7));
    }
  return [...days].map(([key, found]) => {
    const [start, end] = key.split(' ') as [string, string];
    return { days: WEEKDAYS.filter((_, day) => found.has(day)), start, end };
  });
}

/** True if two times of the week have a minute in common. Empty: at all times. */
export function overlap(a: readonly WeeklyTime[], b: readonly WeeklyTime[]): boolean {
  if (a.length === 0 || b.length === 0) return true;
  const follows = (one: WeeklyTime, other: WeeklyTime) =>
    (other.start - one.start + WEEK_MINUTES) % WEEK_MINUTES < one.length;
  return a.some((one) => b.some((other) => follows(one, other) || follows(other, one)));
}

/** True if whole shifts of this length are outside of the times. The first one begins at `start`. */
export function skipsShifts(times: readonly WeeklyTime[], start: number, length: number): boolean {
  if (times.length === 0 || length >= WEEK_MINUTES) return false;
  const count = WEEK_MINUTES / gcd(length, WEEK_MINUTES);
  return Array.from({ length: count }, (_, shift) => (start + shift * length) % WEEK_MINUTES).some(
    (from) => !overlap([{ start: from, length }], times),
  );
}

function timeText(minute: number): string {
  const ofDay = minute % DAY_MINUTES;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
