import { betweenRoundsMs, LONGEST_PAGING_MS } from '@watchpost/shared/escalation-rounds';
import type {
  EscalationPolicyInput,
  EscalationPolicyView,
} from '@watchpost/control-plane/capabilities/on-call/escalation-policy-schemas';
import type { FieldFault } from '../../data/api-fault.js';
import { valueAt } from '../../parts/field-path.js';
import { durationMs } from '../../parts/format.js';

export type PolicyValues = EscalationPolicyInput;
export type PolicyStep = PolicyValues['steps'][number];
export type Target = PolicyStep['targets'][number];

const ON_CALL: Target = { type: 'onCall' };

/** A step that is added: 10 minutes later, to whom `targets` names. */
export function newStep(targets: Target[] = [ON_CALL]): PolicyStep {
  return { after: 'PT10M', targets, ackRequired: 'one' };
}

/** Returns the values with which a policy is edited. */
export function policyValues({ name, severities, steps, repeat, ackTimeout }: EscalationPolicyView): PolicyValues {
  return { name, severities, steps, repeat, ackTimeout };
}

/** Names what is wrong with targets, by their keys, as of when the policy was read. */
export function problemsOf(policy: EscalationPolicyView): Map<string, string> {
  return new Map(policy.problems.map(({ path, message }) => [keyOfTarget(valueAt(policy, path) as Target), message]));
}

/** The problems of the targets that these steps have. */
export function faultsOfTargets(steps: readonly PolicyStep[], problems: ReadonlyMap<string, string>): FieldFault[] {
  return steps.flatMap(({ targets }, at) =>
    targets.flatMap((target, index) => {
      const message = problems.get(keyOfTarget(target));
      return message === undefined ? [] : [{ path: `steps.${at}.targets.${index}`, message }];
    }),
  );
}

/** Distinguishes targets, and makes one again. */
export function keyOfTarget(target: Target): string {
  return JSON.stringify(target, Object.keys(target).toSorted());
}

export function targetOfKey(key: string): Target {
  return JSON.parse(key) as Target;
}

/** A step that pages while nobody acknowledges. */
export interface PlannedPage {
  /** Since the incident opened. */
  afterMs: number;
  round: number;
  step: number;
}

/** When each step of each round pages, in the order of time. What is no length of time counts as none. */
export function plannedPages({ steps, repeat }: Pick<PolicyValues, 'steps' | 'repeat'>): PlannedPage[] {
  const waitsMs = steps.map(({ after }) => durationMs(after) ?? 0);
  let afterMs = 0;
  return Array.from({ length: repeat + 1 }, (_, round) => round)
    .flatMap((round) =>
      waitsMs.map((waitMs, step) => {
        afterMs += round > 0 && step === 0 ? betweenRoundsMs(waitsMs) : waitMs;
        return { afterMs, round, step };
      }),
    )
    .filter((page) => page.afterMs <= LONGEST_PAGING_MS);
}
