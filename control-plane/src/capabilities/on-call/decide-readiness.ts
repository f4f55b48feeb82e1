import { DAY_MS } from '@watchpost/shared/time';
import type { OnCallShift } from './decide-on-call.js';
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
 * Decides the worst problem of a shift.
 * @param planned who is planned where suspended people take their shifts
 */
export function decideReadiness(
  shift: OnCallShift,
  planned: (atMs: number) => { userId: string | null },
  people: ReadonlyMap<string, Reach & { lastSignInMs: number }>,
  nowMs: number,
): ReadyShift {
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
}
