import { z } from 'zod';
import { Fault } from '@watchpost/shared/fault';
import { route, type ApiAnswer, type Route } from '../../platform/http/route.js';
import type { PlanDeps } from './announce-plan-change.js';
import { type Trial, TRIAL_DAYS } from './decide-trial.js';
import { productSchema, trialInput, trialSchema } from './plan-schemas.js';
import { PLAN_NAMES, PLANS, TRIAL_BUDGETS } from './plans.js';
import { readTrial, startTrial, steadyPart } from './trials.js';

const tag = 'Users, trial and plans';

export function planRoutes(deps: PlanDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/product',
      operationId: 'listProducts',
      summary: 'List plans with their limits and features',
      description: 'From the smallest plan to the largest. A limit of null is unlimited.',
      tag,
      scopes: ['monitor.admin', 'user.read', 'account.read'],
      role: null,
      answers: { 200: { description: 'The plans', schema: z.array(productSchema) } },
      handle: () => Promise.resolve({ body: products }),
    }),
    route({
      method: 'get',
      path: '/api/v1/user/{userId}/trial',
      operationId: 'getTrial',
      summary: 'Get the state of my trial',
      description: "Your own only; another user's id is not found.",
      tag,
      scopes: ['monitor.admin', 'user.read'],
      role: null,
      answers: { 200: { description: 'The trial', schema: trialSchema } },
      async handle({ caller, params }) {
        requireSelf(caller.userId, params.userId);
        return answer(await readTrial(deps, params.userId));
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/user/{userId}/trial',
      operationId: 'startTrial',
      audits: ['workspace.trial_started'],
      summary: 'Start my trial of a paid plan',
      description: `Once a user, also where the account was deleted and made anew, for ${TRIAL_DAYS} days. The plan holds at once in every workspace that you own, unless yours is a greater one. When the days are over, your former plan holds again (Starter, unless the operator gave you another): what is over its limits is paused, the newest first, and nothing is deleted.`,
      tag,
      scopes: ['monitor.admin', 'user.write'],
      role: null,
      body: trialInput,
      apiKeys: false,
      answers: { 200: { description: 'The trial that has begun', schema: trialSchema } },
      faults: ['trial_already_used'],
      async handle({ caller, via, checkPrecondition, params, body }) {
        requireSelf(caller.userId, params.userId);
        const trial = await startTrial(deps, { caller, via, checkPrecondition }, body.plan);
        return answer(trial);
      },
    }),
  ];
}

/** Callers see only their own trial. */
function requireSelf(callerId: string, userId: string): void {
  if (callerId !== userId) throw new Fault('not_found', 'There is no user by that id.');
}

function answer(trial: Trial): ApiAnswer {
  return { body: trial, resource: steadyPart(trial) };
}

const products = PLAN_NAMES.map((name) => ({
  name,
  trialDays: name === 'Starter' ? 0 : TRIAL_DAYS,
  limits: PLANS[name].limits,
  features: PLANS[name].features,
  dailyBudgets: PLANS[name].budgets,
  trialDailyBudgets: TRIAL_BUDGETS,
  checkInterval: { minimum: 'PT1M', maximum: 'PT1H' },
}));
