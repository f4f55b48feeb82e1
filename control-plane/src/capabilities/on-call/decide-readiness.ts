import { DAY_MS } from '@watchpost/shared/time';
import { baseFinder, decideShifts, type OnCallPlan, type OnCallShift } from './decide-on-call.js';
import type { Reach } from './on-call-deps.js';

export const READINESS_PROBLEMS = ['noMethod', 'unverifiedNumber', 'suspended', 'nobody', 'noSignIn90Days'] as const;
export type ReadinessProblem = (typeof READINESS_PROBLEMS)[number];

const SIGN_IN_MS = 90 * DAY_MS;

/** A coming shift, and what could prevent that its person answers. */
export interface ReadyShift extends OnCallShift {
  reachableBy: readonly string[];
  problem: ReadinessProblem | null;
}

/**
 * The shifts of a range and the worst problem of each.
 * @param plan reduced to people who can be on call
 * @param everybody the same with suspended people
 */
export function decideReadiness(
  plan: OnCallPlan,
  everybody: OnCallPlan,
  people: ReadonlyMap<string, Reach & { lastSignInMs: number }>,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): ReadyShift[] {
  const planned = baseFinder(everybody);
  return decideShifts(plan, nowMs, untilMs).map((shift) => {
    const { userId, source, startMs } = shift;
    const person = userId === null ? undefined : people.get(userId);
    const reachableBy = person?.channels ?? [];
    const isReplaced = source !== 'override' && planned(Math.max(startMs, nowMs)).userId !== userId;
    const problem: ReadinessProblem | null =
      userId === null && !isReplaced
        ? 'nobody'
        : isReplaced
          ? 'suspended'
          : person?.isBlocked
            ? 'unverifiedNumber'
            : reachableBy.length === 0
              ? 'noMethod'
              : person!.lastSignInMs < nowMs - SIGN_IN_MS
                ? 'noSignIn90Days'
                : null;
    return { ...shift, reachableBy, problem };
  });
}
