import { type Layers, type Shift, shiftFinder } from './decide-rotation.js';

export type OnCallSource = 'rotation' | 'override' | 'none';

/** A time in which one person replaces the rotation. */
export interface OverrideSpan {
  userId: string;
  /** Inclusive, ms since the epoch. */
  startMs: number;
  /** Exclusive. */
  endMs: number;
}

/** Layers as they were before a change. */
export interface FormerLayers extends Layers {
  /** When the change took effect, ms since the epoch. */
  untilMs: number;
}

export interface OnCallPlan extends Layers {
  /** In order of time: a change leaves the shifts before it as they were. */
  former: readonly FormerLayers[];
  /** Only of people who can be on call; the latest created first, which wins where two overlap. */
  overrides: readonly OverrideSpan[];
}

export interface OnCallShift {
  userId: string | null;
  source: OnCallSource;
  /** Inclusive; -Infinity where nobody was on call before. */
  startMs: number;
  /** Exclusive; Infinity where nothing is planned after it. */
  endMs: number;
}

/** Who is on call at a moment, and from when until when without interruption. */
export function decideOnCall(plan: OnCallPlan, atMs: number): OnCallShift {
  return onCallAt(plan, baseFinder(plan), atMs);
}

function onCallAt(plan: OnCallPlan, shiftAt: (atMs: number) => Shift, atMs: number): OnCallShift {
  const winner = plan.overrides.findIndex(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  if (winner >= 0) {
    const override = plan.overrides[winner]!;
    return { ...between(override, plan.overrides.slice(0, winner), atMs), userId: override.userId, source: 'override' };
  }
  const shift = shiftAt(atMs);
  return {
    ...between(shift, plan.overrides, atMs),
    userId: shift.userId,
    source: shift.userId === null ? 'none' : 'rotation',
  };
}

/**
 * All shifts from `fromMs` until `toMs`, in order, without gap or overlap. The first and the last one keep their full length,
 * also beyond the range.
 */
export function decideShifts(plan: OnCallPlan, fromMs: number, toMs: number): OnCallShift[] {
  return [...eachShift(plan, fromMs, toMs)];
}

/** The same, one after another: a year of hourly shifts takes longer than a process may leave others waiting. */
export function* eachShift(plan: OnCallPlan, fromMs: number, toMs: number): Generator<OnCallShift> {
  const shiftAt = baseFinder(plan);
  for (let atMs = fromMs; atMs < toMs;) {
    const shift = onCallAt(plan, shiftAt, atMs);
    yield shift;
    atMs = shift.endMs;
  }
}

/** The person who takes over after a shift, and when; null where nothing is planned. */
export function decideNext(plan: OnCallPlan, shift: OnCallShift): { userId: string; atMs: number } | null {
  const shiftAt = baseFinder(plan);
  for (let atMs = shift.endMs; Number.isFinite(atMs);) {
    const following = onCallAt(plan, shiftAt, atMs);
    if (following.userId !== null) return { userId: following.userId, atMs };
    atMs = following.endMs;
  }
  return null;
}

/** Finds the shift by the layers alone, without overrides. */
export function baseFinder({ former, ...current }: Omit<OnCallPlan, 'overrides'>): (atMs: number) => Shift {
  let fromMs = -Infinity;
  const parts = [...former, { ...current, untilMs: Infinity }].map(({ untilMs, ...layers }) => {
    // Most of what is former is never asked for.
    let find: ReturnType<typeof shiftFinder> | undefined;
    const part = { startMs: fromMs, endMs: untilMs, find: (atMs: number) => (find ??= shiftFinder(layers))(atMs) };
    fromMs = untilMs;
    return part;
  });
  return (atMs) => {
    const part = parts.find(({ endMs }) => atMs < endMs)!;
    const shift = part.find(atMs);
    return { ...shift, startMs: Math.max(shift.startMs, part.startMs), endMs: Math.min(shift.endMs, part.endMs) };
  };
}

/** The most former layers that are kept of a schedule; of times before them the oldest ones count. */
const MAX_FORMER = 100;
/** All of them are read with the schedule, so that it stays small: some hundred layers of a few people. */
const MAX_FORMER_LENGTH = 256 * 1024;

/**
 * The former layers of a schedule after a change of its layers. The shift under way ends as planned if its person still
 * takes part, and the change takes effect after it; otherwise at once.
 * @param running the shift under way, without overrides
 * @param next user ids in the layers after the change
 */
export function decideFormer(
  { former, timezone, layers, holidays }: Omit<OnCallPlan, 'overrides'>,
  running: Shift,
  next: ReadonlySet<string | null>,
  nowMs: number,
): FormerLayers[] {
  const untilMs = running.userId !== null && next.has(running.userId) ? running.endMs : nowMs;
  // Of a change that had not taken effect nothing is left.
  const inForce = former.findIndex((one) => nowMs < one.untilMs);
  if (inForce >= 0) return [...former.slice(0, inForce), { ...former[inForce]!, untilMs }];
  // Before the first layers of a schedule there is nothing to keep.
  if (layers.length === 0 && former.length === 0) return [];
  const all = [...former, { timezone, layers, holidays, untilMs }].slice(-MAX_FORMER);
  let length = 0;
  const tooLong = all.findLastIndex((one) => (length += JSON.stringify(one).length) > MAX_FORMER_LENGTH);
  return all.slice(tooLong + 1);
}

/** The part of a span around a moment that remains after removing other spans, none of which contains the moment. */
function between(
  { startMs, endMs }: { startMs: number; endMs: number },
  others: readonly OverrideSpan[],
  atMs: number,
): { startMs: number; endMs: number } {
  const left = { startMs, endMs };
  for (const other of others) {
    if (other.endMs <= atMs) left.startMs = Math.max(left.startMs, other.endMs);
    else left.endMs = Math.min(left.endMs, other.startMs);
  }
  return left;
}
