import { DAY_MS } from '@watchpost/shared/time';
import { PLAN_NAMES, type PlanName } from './plans.js';

export const TRIAL_DAYS = 14;
export const TRIAL_MS = TRIAL_DAYS * DAY_MS;

/** The trial of an account; all fields are null where it never had one. */
export interface TrialDates {
  trialPlan: PlanName | null;
  trialStarted: Date | null;
  trialEnds: Date | null;
}

export interface Trial {
  status: 'none' | 'active' | 'expired';
  plan: PlanName | null;
  started: string | null;
  ends: string | null;
  /** Remaining days, rounded up; null without a trial. */
  daysRemaining: number | null;
}

/** The state of a trial at a moment. The end is exclusive. */
export function decideTrial({ trialPlan, trialStarted, trialEnds }: TrialDates, nowMs: number): Trial {
  if (trialPlan === null || trialStarted === null || trialEnds === null) {
    return { status: 'none', plan: null, started: null, ends: null, daysRemaining: null };
  }
  const leftMs = trialEnds.getTime() - nowMs;
  return {
    status: leftMs > 0 ? 'active' : 'expired',
    plan: trialPlan,
    started: trialStarted.toISOString(),
    ends: trialEnds.toISOString(),
    daysRemaining: Math.max(0, Math.ceil(leftMs / DAY_MS)),
  };
}

/** The greater of two plans, because a trial never reduces what the account has. */
export function greaterPlan(one: PlanName, other: PlanName): PlanName {
  return PLAN_NAMES.indexOf(one) >= PLAN_NAMES.indexOf(other) ? one : other;
}
