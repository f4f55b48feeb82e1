import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { type ZoneClock, zoneClock } from './zone-clock.js';

/** The path `/schedule` knows no others. */
export const ROTATION_KINDS = ['daily', 'weekly'] as const;
export type RotationKind = (typeof ROTATION_KINDS)[number];
export const ROTATION_UNITS = ['hour', 'day', 'week'] as const;
export const HOLIDAY_RULES = ['ignore', 'skip', 'only'] as const;
/** A schedule has at most so many holidays. */
export const MAX_HOLIDAYS = 400;

/** In the order of the ISO week. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When the shifts of a layer change, in local time. */
export interface Rotation {
  unit: (typeof ROTATION_UNITS)[number];
  /** A shift lasts this many units on the clocks of the zone. */
  every: number;
  /** `HH:MM` */
  handoffTime: string;
  /** Only of weeks. */
  handoffDay: Weekday | null;
}

/** A time of the week. One whose end is not later than its start lasts until that time of the next day. */
export interface Restriction {
  /** The days on which it begins. */
  days: readonly Weekday[];
  /** `HH:MM` */
  start: string;
  end: string;
}

export interface LayerSettings {
  name: string;
  rotation: Rotation;
  /** `YYYY-MM-DD`: the first participant takes over on this day at the time of handoffs. */
  startDate: string;
  /** The layer ends on this day at the time of handoffs. */
  endDate: string | null;
  /** Empty: at all times. */
  restrictions: readonly Restriction[];
  /** Whether times that begin on a holiday belong to the layer. */
  holidays: (typeof HOLIDAY_RULES)[number];
}

export interface Layer extends LayerSettings {
  /** One round, in order. null is a turn that nobody can take; the next person who can takes it too. */
  turns: readonly (string | null)[];
}

/** All layers of a schedule; where several have somebody on call the last of them counts. */
export interface Layers {
  /** IANA name. */
  timezone: string;
  layers: readonly Layer[];
  /** `YYYY-MM-DD` */
  holidays: readonly string[];
}

export interface Shift {
  /** null where nobody is on call. */
  userId: string | null;
  /** Inclusive, ms since the epoch; -Infinity where nobody was on call before. */
  startMs: number;
  /** Exclusive; Infinity where nobody is on call after it. */
  endMs: number;
}

type Span = Omit<Shift, 'userId'>;
type ShiftFinder = (atMs: number) => Shift;

/**
 * Finds the shift that contains a moment. Uses arithmetic on local times, so the age of a schedule does not matter; faster
 * where each moment is in or right after the previous shift.
 */
export function shiftFinder({ timezone, layers, holidays }: Layers): ShiftFinder {
  const clock = zoneClock(timezone);
  const finders = layers
    .filter(({ turns }) => turns.some((userId) => userId !== null))
    .map((layer) => keepingLast(layerFinder(layer, clock, holidays)))
    .toReversed();
  return (atMs) => {
    let span: Span = { startMs: -Infinity, endMs: Infinity };
    for (const find of finders) {
      const { userId, ...found } = find(atMs);
      span = cut(span, found);
      if (userId !== null) return { userId, ...span };
    }
    return { userId: null, ...span };
  };
}

/** The latest day on which a layer can start so that its first shift has begun by `atMs`. */
export function latestStartDate(handoffTime: string, timezone: string, atMs: number): string {
  const localMs = zoneClock(timezone).localAt(atMs);
  const startMs = zoneClock(timezone).momentOf(dayOf(localMs) + timeMs(handoffTime));
  return dateText(dayOf(localMs) - (startMs <= atMs ? 0 : DAY_MS));
}

export function weekdayOf(date: string): Weekday {
  return WEEKDAYS[weekdayAt(dateMs(date))]!;
}

function layerFinder(layer: Layer, clock: ZoneClock, holidays: readonly string[]): ShiftFinder {
  const handoffs = handoffsOf(layer);
  const turnOf = turnCounter(layer, handoffs);
  const windows = windowsOf(layer, clock, holidays);
  const firstMs = clock.momentOf(handoffs.at(0));
  const lastMs =
    layer.endDate === null ? Infinity : clock.momentOf(dateMs(layer.endDate) + timeMs(layer.rotation.handoffTime));
  const startOf = (shift: number) => clock.momentOf(handoffs.at(shift));

  /** A change of the clocks can make the number by local time wrong by a few; a shift that it makes empty belongs to nobody. */
  function shiftAt(atMs: number): Span & { shift: number } {
    let shift = Math.max(handoffs.shiftOn(clock.localAt(atMs)), 0);
    while (startOf(shift) > atMs) shift--;
    while (startOf(shift + 1) <= atMs) shift++;
    return { shift, startMs: startOf(shift), endMs: startOf(shift + 1) };
  }
  function beginAfter(atMs: number): number {
    const nextMs = windows.at(atMs) ? atMs : windows.nextStart(atMs);
    return nextMs < lastMs ? nextMs : Infinity;
  }

  return (atMs) => {
    if (atMs < firstMs) return { userId: null, startMs: -Infinity, endMs: beginAfter(firstMs) };
    const window = atMs < lastMs ? windows.at(atMs) : undefined;
    if (!window) {
      const endedMs = atMs >= lastMs && windows.at(lastMs - 1) ? lastMs : windows.lastEnd(Math.min(atMs, lastMs));
      return {
        userId: null,
        startMs: endedMs > firstMs ? endedMs : -Infinity,
        endMs: atMs < lastMs ? beginAfter(atMs) : Infinity,
      };
    }
    const { shift, ...span } = shiftAt(atMs);
    return {
      userId: whoTakes(layer.turns, turnOf(shift)),
      ...windows.joined(window, cut(span, { startMs: firstMs, endMs: lastMs })),
    };
  };
}

/** Shift 0 begins on the start date; of weeks it lasts until the first handoff day after that. In local time. */
function handoffsOf({ rotation: { unit, every, handoffTime, handoffDay }, startDate }: LayerSettings): {
  lengthMs: number;
  at(shift: number): number;
  /** Shift -1 is the time before the start. */
  shiftOn(localMs: number): number;
} {
  const lengthMs = every * { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }[unit];
  const startMs = dateMs(startDate) + timeMs(handoffTime);
  const ahead = handoffDay === null ? 0 : (WEEKDAYS.indexOf(handoffDay) - weekdayAt(startMs) + 7) % 7 || 7;
  const secondMs = unit === 'week' ? startMs + ahead * DAY_MS : startMs + lengthMs;
  return {
    lengthMs,
    at: (shift) => (shift <= 0 ? startMs : secondMs + (shift - 1) * lengthMs),
    shiftOn: (localMs) =>
      localMs < secondMs ? (localMs < startMs ? -1 : 0) : 1 + Math.floor((localMs - secondMs) / lengthMs),
  };
}

/**
 * Turns count only shifts of which a part is inside the restrictions. Holidays do not count: a new list of them would move
 * the turns of all shifts after them. Shifts and restrictions have a common period, at most 168 shifts.
 */
function turnCounter(
  { restrictions }: LayerSettings,
  handoffs: ReturnType<typeof handoffsOf>,
): (shift: number) => number {
  if (restrictions.length === 0) return (shift) => shift;
  const WEEK_MS = 7 * DAY_MS;
  const week = restrictions.flatMap(({ days, start, end }) =>
    days.map((day) => {
      // 1970-01-05 was a Monday.
      const startMs = (4 + WEEKDAYS.indexOf(day)) * DAY_MS + timeMs(start);
      return { startMs, endMs: startMs + lengthOf(start, end) };
    }),
  );
  const isInside = (shift: number): boolean => {
    const [fromMs, toMs] = [handoffs.at(shift), handoffs.at(shift + 1)];
    return week.some(({ startMs, endMs }) => {
      // The first repetition that ends after the shift begins.
      const againMs = (Math.floor((fromMs - endMs) / WEEK_MS) + 1) * WEEK_MS;
      return startMs + againMs < toMs;
    });
  };
  /** How many of the first `n` shifts after shift 0 count, up to one period. */
  const counts = [0];
  const period = WEEK_MS / gcd(handoffs.lengthMs, WEEK_MS);
  for (let n = 1; n <= period; n++) counts.push(counts[n - 1]! + (isInside(n) ? 1 : 0));
  const first = isInside(0) ? 1 : 0;
  return (shift) =>
    shift <= 0 ? 0 : first + Math.floor((shift - 1) / period) * counts[period]! + counts[(shift - 1) % period]!;
}

interface Windows {
  /** The window that contains a moment, if any. */
  at(atMs: number): Span | undefined;
  /** Joined with those that touch it, inside `limits`. */
  joined(window: Span, limits: Span): Span;
  /** Of the first window that begins after a moment outside of them; Infinity where none does. */
  nextStart(atMs: number): number;
  /** Of the last window that has ended by a moment outside of them; -Infinity where none has. */
  lastEnd(atMs: number): number;
}

const ALWAYS: Windows = {
  at: () => ({ startMs: -Infinity, endMs: Infinity }),
  joined: (_window, limits) => limits,
  nextStart: () => Infinity,
  lastEnd: () => -Infinity,
};

/** The times that restrictions and holidays leave to a layer. Each belongs to the local day on which it begins. */
function windowsOf(layer: LayerSettings, clock: ZoneClock, holidays: readonly string[]): Windows {
  if (layer.restrictions.length === 0 && layer.holidays === 'ignore') return ALWAYS;
  const restrictions =
    layer.restrictions.length > 0 ? layer.restrictions : [{ days: WEEKDAYS, start: '00:00', end: '00:00' }];
  const free = layer.holidays === 'ignore' ? [] : holidays.map(dateMs).toSorted((a, b) => a - b);
  const isFree = new Set(free);
  const times = restrictions.map(({ days, start, end }) => ({
    days: new Set(days.map((day) => WEEKDAYS.indexOf(day))),
    startMs: timeMs(start),
    lengthMs: lengthOf(start, end),
  }));
  const known = new Map<number, readonly Span[]>();

  /** Those that touch are joined, in order. */
  function beginningOn(dayMs: number): readonly Span[] {
    let spans = known.get(dayMs);
    if (!spans) known.set(dayMs, (spans = findOn(dayMs)));
    return spans;
  }
  function findOn(dayMs: number): readonly Span[] {
    if (layer.holidays !== 'ignore' && isFree.has(dayMs) !== (layer.holidays === 'only')) return [];
    const weekday = weekdayAt(dayMs);
    const spans: Span[] = [];
    const all = times
      .filter(({ days }) => days.has(weekday))
      .map(({ startMs, lengthMs }) => ({
        startMs: clock.momentOf(dayMs + startMs),
        endMs: clock.momentOf(dayMs + startMs + lengthMs),
      }))
      .filter(({ startMs, endMs }) => startMs < endMs)
      .toSorted((a, b) => a.startMs - b.startMs);
    for (const span of all) {
      const last = spans.at(-1);
      if (last && span.startMs <= last.endMs) last.endMs = Math.max(last.endMs, span.endMs);
      else spans.push(span);
    }
    return spans;
  }
  /** The days on which windows can begin, from a moment on, or backwards. Restrictions repeat in a week, of which a holiday can take the only day. */
  function* daysFrom(atMs: number, step: 1 | -1): Generator<number> {
    const dayMs = dayOf(clock.localAt(atMs)) - 2 * step * DAY_MS;
    if (layer.holidays === 'only')
      yield* (step === 1 ? free : free.toReversed()).filter((one) => (one - dayMs) * step >= 0);
    else for (let index = 0; index < 11 + 7 * free.length; index++) yield dayMs + index * step * DAY_MS;
  }
  function at(atMs: number): Span | undefined {
    const dayMs = dayOf(clock.localAt(atMs));
    for (let day = dayMs - 2 * DAY_MS; day <= dayMs + DAY_MS; day += DAY_MS)
      for (const span of beginningOn(day)) if (span.startMs <= atMs && atMs < span.endMs) return span;
    return undefined;
  }
  return {
    at,
    joined(window, limits) {
      let { startMs, endMs } = window;
      for (let next = at(endMs); endMs < limits.endMs && next; next = at(endMs)) endMs = next.endMs;
      for (let last = at(startMs - 1); startMs > limits.startMs && last; last = at(startMs - 1)) startMs = last.startMs;
      return cut({ startMs, endMs }, limits);
    },
    nextStart(atMs) {
      for (const day of daysFrom(atMs, 1)) {
        const found = beginningOn(day).find(({ startMs }) => startMs > atMs);
        if (found) return found.startMs;
      }
      return Infinity;
    },
    lastEnd(atMs) {
      const endedOn = (day: number) => beginningOn(day).findLast(({ endMs }) => endMs <= atMs)?.endMs ?? -Infinity;
      for (const day of daysFrom(atMs, -1)) {
        const endMs = endedOn(day);
        // A window of the day before can end later.
        if (Number.isFinite(endMs)) return Math.max(endMs, endedOn(day - DAY_MS));
      }
      return -Infinity;
    },
  };
}

/** Remembers the last answer, which holds for the whole shift. */
function keepingLast(find: ShiftFinder): ShiftFinder {
  let last: Shift | undefined;
  return (atMs) => {
    if (!last || atMs < last.startMs || atMs >= last.endMs) last = find(atMs);
    return last;
  };
}

function whoTakes(turns: readonly (string | null)[], turn: number): string | null {
  for (let ahead = 0; ahead < turns.length; ahead++) {
    const userId = turns[(turn + ahead) % turns.length];
    if (userId !== undefined && userId !== null) return userId;
  }
  return null;
}

const cut = (span: Span, limits: Span): Span => ({
  startMs: Math.max(span.startMs, limits.startMs),
  endMs: Math.min(span.endMs, limits.endMs),
});
const dateMs = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const dateText = (dayMs: number): string => new Date(dayMs).toISOString().slice(0, 10);
const dayOf = (localMs: number): number => Math.floor(localMs / DAY_MS) * DAY_MS;
/** From 0 for Monday. */
const weekdayAt = (localMs: number): number => (((Math.floor(localMs / DAY_MS) + 3) % 7) + 7) % 7;
const timeMs = (time: string): number => Number(time.slice(0, 2)) * HOUR_MS + Number(time.slice(3)) * MINUTE_MS;
const lengthOf = (start: string, end: string): number => {
  const ms = timeMs(end) - timeMs(start);
  return ms > 0 ? ms : ms + DAY_MS;
};
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
