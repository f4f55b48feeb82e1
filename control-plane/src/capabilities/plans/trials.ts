import { Fault } from '@watchpost/shared/fault';
import type { Database } from '../../platform/db/database.js';
import type { Requester } from '../../platform/identity/caller.js';
import type { Clock } from '@watchpost/shared/clock';
import { announcePlanChange, type PlanDeps, callPlanListeners } from './announce-plan-change.js';
import { decideTrial, greaterPlan, type Trial, TRIAL_DAYS, TRIAL_MS } from './decide-trial.js';
import { goneFault } from './find-account.js';
import { accountPlanStore } from './plan-store.js';
import type { PlanName } from './plans.js';
import { recordPlanChange } from './record-plan-change.js';

const BATCH = 100;

/** The trial of an account. @throws Fault `not_found` where the account was deleted a moment ago */
export async function readTrial(deps: { db: Database; clock: Clock }, userId: string): Promise<Trial> {
  const account = await deps.db.read((tx) => accountPlanStore.find(tx, userId));
  if (!account) throw goneFault();
  return decideTrial(account, deps.clock.now());
}

/**
 * Starts the free trial of a plan, once per person, also under concurrent requests. The account keeps whatever it already
 * has more of.
 * @throws Fault `validation_failed` for Starter, `trial_already_used`, `precondition_failed`, `not_found`
 */
export async function startTrial(deps: PlanDeps, requester: Requester, plan: PlanName): Promise<Trial> {
  const { userId } = requester.caller;
  if (plan === 'Starter') {
    throw new Fault('validation_failed', 'Starter is free: there is nothing to try.', [
      { path: 'plan', message: 'must be a paid plan' },
    ]);
  }
  const trial = await deps.db.transaction(async (tx) => {
    const account = await accountPlanStore.lock(tx, userId);
    if (!account) throw goneFault();
    const nowMs = deps.clock.now();
    requester.checkPrecondition?.(steadyPart(decideTrial(account, nowMs)));
    if (account.trialStarted !== null || !(await accountPlanStore.spendTrial(tx, userId, nowMs))) {
      throw new Fault(
        'trial_already_used',
        `The ${TRIAL_DAYS} days can be used once; the operator of this service can give you a plan.`,
      );
    }
    const started = {
      ...account,
      plan: greaterPlan(account.plan, plan),
      trialPlan: plan,
      trialStarted: new Date(nowMs),
      trialEnds: new Date(nowMs + TRIAL_MS),
      trialFallback: account.plan,
    };
    await accountPlanStore.saveTrial(tx, started, nowMs);
    await recordPlanChange(deps, tx, requester, 'workspace.trial_started', account, started);
    await callPlanListeners(deps, tx, started);
    return decideTrial(started, nowMs);
  });
  announcePlanChange(deps);
  return trial;
}

/**
 * Ends expired trials, each in its own transaction: the account gets its former plan, and the plan listeners pause what
 * exceeds its limits.
 * @returns the number of ended trials
 */
export async function endTrials(deps: PlanDeps): Promise<number> {
  let ended = 0;
  for (;;) {
    const nowMs = deps.clock.now();
    const overdue = await deps.db.read((tx) => accountPlanStore.overdueTrials(tx, nowMs, BATCH));
    for (const userId of overdue) if (await endTrial(deps, userId, nowMs)) ended++;
    if (ended > 0) announcePlanChange(deps);
    if (overdue.length < BATCH) return ended;
  }
}

async function endTrial(deps: PlanDeps, userId: string, nowMs: number): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const account = await accountPlanStore.lock(tx, userId);
    if (!account?.trialFallback || account.trialEnds!.getTime() > nowMs) return false;
    const ended = { ...account, plan: account.trialFallback, trialFallback: null };
    await accountPlanStore.saveTrial(tx, ended, nowMs);
    await recordPlanChange(deps, tx, 'system', 'workspace.trial_ended', account, ended);
    await callPlanListeners(deps, tx, ended);
    return true;
  });
}

/** The part of a trial that its ETag covers: the fields that do not change with time alone. */
export function steadyPart({ plan, started, ends }: Trial): Partial<Trial> {
  return { plan, started, ends };
}
