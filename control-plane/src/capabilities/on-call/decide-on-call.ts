import { type Rotation, type Shift, shiftFinder } from './decide-rotation.js';

export type OnCallSource = 'rotation' | 'override' | 'none';

/** A time in which one person replaces the rotation. */
export interface OverrideSpan {
  userId: string;
  /** Inclusive, ms since the epoch. */
  startMs: number;
  /** Exclusive. */
  endMs: number;
}

export interface OnCallPlan {
  rotation: Rotation | null;
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
  return onCallAt(plan, rotationFinder(plan.rotation), atMs);
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
  const shifts: OnCallShift[] = [];
  const shiftAt = rotationFinder(plan.rotation);
  for (let atMs = fromMs; atMs < toMs; atMs = shifts.at(-1)!.endMs) shifts.push(onCallAt(plan, shiftAt, atMs));
  return shifts;
}

/** The person who takes over after a shift, and when; null where nothing is planned. */
export function decideNext(plan: OnCallPlan, shift: OnCallShift): { userId: string; atMs: number } | null {
  for (let atMs = shift.endMs; Number.isFinite(atMs);) {
    const following = decideOnCall(plan, atMs);
    if (following.userId !== null) return { userId: following.userId, atMs };
    atMs = following.endMs;
  }
  return null;
}

/** A rotation without anybody who can take a turn counts as no rotation. */
function rotationFinder(rotation: Rotation | null): (atMs: number) => Shift {
  if (rotation?.turns.some((userId) => userId !== null)) return shiftFinder(rotation);
  return () => ({ userId: null, startMs: -Infinity, endMs: Infinity });
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
