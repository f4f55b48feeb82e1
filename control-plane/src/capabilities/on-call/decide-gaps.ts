import { decideShifts, type OnCallPlan } from './decide-on-call.js';
import { decideShift } from './decide-rotation.js';

/** A time at which nobody is on call; half-open, ms since the epoch. */
export interface Gap {
  startMs: number;
  endMs: number;
}

/**
 * The gaps of a range, in order, joined where they touch. Costs as much for a year as for a day: a rotation of which anybody
 * can take a turn leaves none from its start on.
 */
export function decideGaps(plan: OnCallPlan, fromMs: number, toMs: number): Gap[] {
  const untilMs = Math.min(toMs, coveredFrom(plan, fromMs));
  const gaps: Gap[] = [];
  if (untilMs <= fromMs) return gaps;
  for (const { userId, startMs, endMs } of decideShifts({ ...plan, rotation: null }, fromMs, untilMs)) {
    if (userId !== null) continue;
    const gap = { startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, untilMs) };
    const last = gaps.at(-1);
    if (last?.endMs === gap.startMs) last.endMs = gap.endMs;
    else gaps.push(gap);
  }
  return gaps;
}

/** From when on the rotation always has somebody on call, at `fromMs` or later; Infinity where it never has. */
function coveredFrom({ rotation }: OnCallPlan, fromMs: number): number {
  if (!rotation?.turns.some((userId) => userId !== null)) return Infinity;
  const shift = decideShift(rotation, fromMs);
  return shift.userId === null ? shift.endMs : fromMs;
}
