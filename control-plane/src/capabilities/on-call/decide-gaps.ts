import { decideShifts, type OnCallPlan, type OnCallShift } from './decide-on-call.js';
import { shiftFinder } from './decide-rotation.js';

/** A time at which nobody is on call; half-open, ms since the epoch. */
export interface Gap {
  startMs: number;
  endMs: number;
}

/**
 * The gaps of a range, in order, joined where they touch. Costs as much for a year as for a day where a layer has somebody
 * at all times from its start on.
 */
export function decideGaps(plan: OnCallPlan, fromMs: number, toMs: number): Gap[] {
  const untilMs = Math.min(toMs, coveredFrom(plan, fromMs));
  return untilMs <= fromMs ? [] : gapsIn(decideShifts(plan, fromMs, untilMs), fromMs, untilMs);
}

/** The gaps of the shifts of a range, cut at its ends. */
export function gapsIn(shifts: readonly OnCallShift[], fromMs: number, toMs: number): Gap[] {
  const gaps: Gap[] = [];
  for (const { userId, startMs, endMs } of shifts) {
    if (userId !== null) continue;
    const gap = { startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, toMs) };
    const last = gaps.at(-1);
    if (last?.endMs === gap.startMs) last.endMs = gap.endMs;
    else gaps.push(gap);
  }
  return gaps;
}

/** From when on somebody is on call without end, at `fromMs` or later; Infinity where that is not certain. */
function coveredFrom(plan: OnCallPlan, fromMs: number): number {
  const endless = plan.layers.find(
    ({ turns, restrictions, holidays, endDate }) =>
      restrictions.length === 0 && holidays === 'ignore' && endDate === null && turns.some((userId) => userId !== null),
  );
  if (!endless) return Infinity;
  const currentMs = Math.max(fromMs, plan.former.at(-1)?.untilMs ?? fromMs);
  const shift = shiftFinder({ ...plan, layers: [endless] })(currentMs);
  return shift.userId === null ? shift.endMs : currentMs;
}
