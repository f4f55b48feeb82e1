import { decideShift, type Rotation } from './decide-rotation.js';

export type OnCallSource = 'rotation' | 'override' | 'none';

/** Somebody stands in. */
export interface OverrideSpan {
  userId: string;
  /** Inclusive, ms since the epoch. */
  startMs: number;
  /** Exclusive. */
  endMs: number;
}

export interface OnCallPlan {
  rotation: Rotation | null;
  /** Of people who can be on call only, the latest created first: it wins where two overlap. */
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
  const winner = plan.overrides.findIndex(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  if (winner >= 0) {
    const override = plan.overrides[winner]!;
    return { ...between(override, plan.overrides.slice(0, winner), atMs), userId: override.userId, source: 'override' };
  }
  const shift = rotationShift(plan.rotation, atMs);
  return {
    ...between(shift, plan.overrides, atMs),
    userId: shift.userId,
    source: shift.userId === null ? 'none' : 'rotation',
  };
}

/**
 * Everything from `fromMs` until `toMs`, in order, without a gap and without two at once. The first and the
 * last one reach beyond the range where they do.
 */
export function decideShifts(plan: OnCallPlan, fromMs: number, toMs: number): OnCallShift[] {
  const shifts: OnCallShift[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs = shifts.at(-1)!.endMs) shifts.push(decideOnCall(plan, atMs));
  return shifts;
}

/** Who takes over after a shift, and when: nobody where nothing is planned. */
export function decideNext(plan: OnCallPlan, shift: OnCallShift): { userId: string; atMs: number } | null {
  for (let atMs = shift.endMs; Number.isFinite(atMs);) {
    const following = decideOnCall(plan, atMs);
    if (following.userId !== null) return { userId: following.userId, atMs };
    atMs = following.endMs;
  }
  return null;
}

function rotationShift(rotation: Rotation | null, atMs: number): Pick<OnCallShift, 'userId' | 'startMs' | 'endMs'> {
  const isTaken = rotation?.turns.some((userId) => userId !== null) ?? false;
  return rotation && isTaken ? decideShift(rotation, atMs) : { userId: null, startMs: -Infinity, endMs: Infinity };
}

/** What is left of a span around a moment once others, none of which holds the moment, have cut into it. */
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
