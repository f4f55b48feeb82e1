import { isDeepStrictEqual } from 'node:util';
import { parseDuration } from '@watchpost/shared/duration';
import { betweenRoundsMs, LONGEST_PAGING_MS } from '@watchpost/shared/escalation-rounds';
import type { Severity } from '@watchpost/shared/incident-types';
import { DAY_MS } from '@watchpost/shared/time';
import type { EscalationPolicy, TeamPolicy } from '../on-call/index.js';

/** A step of a policy. Both count from 0. */
export interface EscalationPosition {
  round: number;
  step: number;
}

/** A step that could not be taken for so long is not taken any more. */
const MOST_LATE_MS = DAY_MS;

const BEGINNING: EscalationPosition = { round: 0, step: 0 };

/** The first policy with the severity. @param policies with the built-in one, which has all, as the last */
export function policyFor(policies: readonly TeamPolicy[], severity: Severity): TeamPolicy {
  return policies.find(({ severities }) => severities.includes(severity)) ?? policies.at(-1)!;
}

/**
 * Decides which step is taken now. Where another policy counts than for the step before, it begins.
 * @param policyId of the step before; null where there was none
 * @returns undefined where the policy has become so short that nothing is left of it
 */
export function decideStep(
  policy: TeamPolicy,
  { policyId, ...position }: EscalationPosition & { policyId: string | null },
): EscalationPosition | undefined {
  if (policyId !== null && policyId !== policy.id) return BEGINNING;
  if (position.step < policy.steps.length && position.round <= policy.repeat) return position;
  return position.round < policy.repeat ? { round: position.round + 1, step: 0 } : undefined;
}

/** True if a step is so late that it is not taken any more: nobody is paged for what was long ago. */
export function isTooLate(dueMs: number, nowMs: number): boolean {
  return nowMs - dueMs > MOST_LATE_MS;
}

/**
 * Decides which step comes after one that was taken now, and when: as long after it as the policy has. If it reached nobody,
 * the next one with other targets comes at once; a further round never does, nor does a step with the same targets, which may
 * mean somebody by then.
 * @returns undefined after the last step of the last round, and `over` where paging ends before because it has lasted too long
 */
export function decideNextStep(
  policy: EscalationPolicy,
  { round, step }: EscalationPosition,
  { reached, beganMs, nowMs }: { reached: boolean; beganMs: number; nowMs: number },
): (EscalationPosition & { dueMs: number }) | 'over' | undefined {
  const { steps, repeat } = policy;
  const others = reached ? -1 : steps.findIndex((one, at) => at > step && !hasSameTargets(one, steps[step]!));
  const after = steps[step + 1];
  const next =
    others >= 0
      ? { round, step: others, dueMs: nowMs }
      : after
        ? { round, step: step + 1, dueMs: nowMs + waitMs(after) }
        : round < repeat
          ? { round: round + 1, step: 0, dueMs: nowMs + betweenRoundsMs(steps.map(waitMs)) }
          : undefined;
  return next && next.dueMs - beganMs > LONGEST_PAGING_MS ? 'over' : next;
}

/**
 * Decides to which step somebody who was paged escalates: the next one that pages others.
 * @param next the next step as it is
 */
export function decideEscalated(policy: TeamPolicy, next: EscalationPosition & { policyId: string | null }) {
  const position = decideStep(policy, next);
  if (!position) return undefined;
  const before = policy.steps[Math.max(0, position.step - 1)]!;
  const step = policy.steps.findIndex((one, at) => at >= position.step && !hasSameTargets(one, before));
  return step < 0 ? position : { ...position, step };
}

/** Returns the wait of a step after the one before. */
export function waitMs({ after }: EscalationPolicy['steps'][number]): number {
  return parseDuration(after)!;
}

function hasSameTargets({ targets }: EscalationPolicy['steps'][number], other: EscalationPolicy['steps'][number]) {
  return isDeepStrictEqual(targets, other.targets);
}

/** Who has to acknowledge before paging ends. */
export interface Awaited {
  /** null: anybody. */
  awaited: readonly string[] | null;
  /** The number of them. */
  awaitedCount: number;
}

/**
 * Decides who has to acknowledge after a step, where some have acknowledged already or everybody has to.
 * @param paged the people whom the step paged; where there are none, it remains as it was
 */
export function decideAwaited(
  { ackRequired }: EscalationPolicy['steps'][number],
  paged: readonly string[],
  { awaited, awaitedCount, isAcknowledged }: Awaited & { isAcknowledged: boolean },
): Awaited {
  if (paged.length === 0) return { awaited, awaitedCount };
  if (ackRequired === 'each') return { awaited: paged, awaitedCount: paged.length };
  return isAcknowledged ? { awaited: paged, awaitedCount: 1 } : ANYBODY;
}

const ANYBODY: Awaited = { awaited: null, awaitedCount: 0 };

/** The same after somebody acknowledged. @returns undefined where paging is over */
export function decideAcknowledged({ awaited, awaitedCount }: Awaited, userId: string | null): Awaited | undefined {
  if (awaited === null) return undefined;
  const others = awaited.filter((one) => one !== userId);
  const left = awaitedCount - (awaited.length - others.length);
  return left > 0 && others.length > 0 ? { awaited: others, awaitedCount: left } : undefined;
}
