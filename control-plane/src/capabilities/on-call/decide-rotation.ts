import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { Temporal } from 'temporal-polyfill';

export const ROTATION_KINDS = ['daily', 'weekly'] as const;
export type RotationKind = (typeof ROTATION_KINDS)[number];

/** In the order of the ISO week. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When shifts change, in local time. */
export interface Handoffs {
  rotation: RotationKind;
  /** IANA name. */
  timezone: string;
  /** `HH:MM` */
  handoffTime: string;
  /** Only for weekly rotations. */
  handoffDay: Weekday | null;
  /** `YYYY-MM-DD`: the first participant takes over on this day. */
  startDate: string;
}

export interface Rotation extends Handoffs {
  /** One round, in order. null is a turn that nobody can take; the next person who can takes it too. */
  turns: readonly (string | null)[];
}

export interface Shift {
  /** null before the rotation starts, and where nobody can take a turn. */
  userId: string | null;
  /** Inclusive, ms since the epoch; -Infinity before the rotation starts. */
  startMs: number;
  /** Exclusive. */
  endMs: number;
}

/** A shift by its number: 0 is the first, -1 is the time before it. */
interface Span {
  shift: number;
  startMs: number;
  endMs: number;
}

/**
 * The shift that contains the moment `atMs`. Uses arithmetic on calendar dates, so the age of a rotation does not matter.
 *
 * A handoff whose local time does not exist that day (clocks go forward) happens as much later as the clocks
 * skip; one whose local time comes twice (clocks go back) happens the first time: Temporal's `compatible`
 * disambiguation, RFC 5545 §3.3.5. Where a zone skips a whole day, that day's shift is empty and belongs to nobody.
 */
export function decideShift(rotation: Rotation, atMs: number): Shift {
  return shiftFinder(rotation)(atMs);
}

/** Like `decideShift`, for many moments of one rotation; faster where each moment is in or right after the previous shift. */
export function shiftFinder(rotation: Rotation): (atMs: number) => Shift {
  const spanAt = knownSpanFinder(rotation);
  return (atMs) => {
    const { shift, startMs, endMs } = spanAt(atMs);
    return { userId: shift < 0 ? null : whoTakes(rotation.turns, shift), startMs, endMs };
  };
}

/** Finders by their handoffs: an overview asks for the same moments again and again, and calendars are slow. */
const finders = new BoundedCache<string, (atMs: number) => Span>(1_000);

function knownSpanFinder({ rotation, timezone, handoffTime, handoffDay, startDate }: Handoffs): (atMs: number) => Span {
  const handoffs = { rotation, timezone, handoffTime, handoffDay, startDate };
  const key = Object.values(handoffs).join(' ');
  const finder = finders.get(key) ?? spanFinder(handoffs);
  finders.set(key, finder);
  return finder;
}

/** The latest spans are kept: the answer depends on the moment alone. */
function spanFinder(handoffs: Handoffs): (atMs: number) => Span {
  const dates = handoffDates(handoffs);
  const startOf = (shift: number) => handoffAt(handoffs, dates.ofShift(shift));
  let [former, found]: (Span | undefined)[] = [];

  function find(atMs: number): Span {
    for (const span of [found, former]) if (span && span.startMs <= atMs && atMs < span.endMs) return span;
    if (found && atMs === found.endMs) return forward(found, atMs);
    const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(handoffs.timezone).toPlainDate();
    // The number by calendar days is off by at most two shifts, because of the time of day and skipped days.
    let shift = dates.shiftOn(today);
    while (shift >= 0 && startOf(shift) > atMs) shift--;
    const startMs = shift < 0 ? -Infinity : startOf(shift);
    return forward({ shift, startMs, endMs: startOf(shift + 1) }, atMs);
  }
  function forward(from: Span, atMs: number): Span {
    let span = from;
    while (span.endMs <= atMs) {
      const shift = span.shift + 1;
      span = { shift, startMs: span.endMs, endMs: startOf(shift + 1) };
    }
    return span;
  }

  return (atMs) => {
    const span = find(atMs);
    if (span !== found) [former, found] = [found, span];
    return span;
  };
}

/** The latest day on which a rotation with these handoffs can start so that its first shift has begun by `atMs`. */
export function latestStartDate(handoffs: Pick<Handoffs, 'timezone' | 'handoffTime'>, atMs: number): string {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(handoffs.timezone).toPlainDate();
  return (handoffAt(handoffs, today) <= atMs ? today : today.subtract({ days: 1 })).toString();
}

export function weekdayOf(date: string): Weekday {
  return WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1]!;
}

/** Shift 0 begins on the start date; of a weekly rotation it lasts until the first handoff day after that. */
function handoffDates(handoffs: Handoffs): {
  ofShift(shift: number): Temporal.PlainDate;
  shiftOn(date: Temporal.PlainDate): number;
} {
  const start = Temporal.PlainDate.from(handoffs.startDate);
  const daysFromStart = (date: Temporal.PlainDate) => start.until(date, { largestUnit: 'days' }).days;
  if (handoffs.rotation === 'daily' || handoffs.handoffDay === null) {
    return { ofShift: (shift) => start.add({ days: shift }), shiftOn: (date) => Math.max(daysFromStart(date), -1) };
  }
  const ahead = (WEEKDAYS.indexOf(handoffs.handoffDay) + 1 - start.dayOfWeek + 7) % 7 || 7;
  return {
    ofShift: (shift) => (shift <= 0 ? start : start.add({ days: ahead + 7 * (shift - 1) })),
    shiftOn: (date) => Math.max(Math.floor((daysFromStart(date) - ahead) / 7) + 1, -1),
  };
}

function handoffAt(
  { timezone, handoffTime }: Pick<Handoffs, 'timezone' | 'handoffTime'>,
  date: Temporal.PlainDate,
): number {
  return date
    .toPlainDateTime(Temporal.PlainTime.from(handoffTime))
    .toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
}

function whoTakes(turns: readonly (string | null)[], shift: number): string | null {
  for (let ahead = 0; ahead < turns.length; ahead++) {
    const userId = turns[(shift + ahead) % turns.length];
    if (userId !== undefined && userId !== null) return userId;
  }
  return null;
}
