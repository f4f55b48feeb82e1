import { z } from 'zod';
import { route, type Route } from '../http/route.js';
import { productSchema } from './plan-schemas.js';
import { PLAN_NAMES, PLANS } from './plans.js';

const TRIAL_DAYS = 14;

/** The plan table over REST. */
export function planRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/product',
      operationId: 'listProducts',
      summary: 'List plans with their limits and features',
      description: 'From the smallest plan to the largest. A limit of null is unlimited.',
      tag: 'Users, trial and plans',
      scopes: ['monitor.admin'],
      role: null,
      answers: { 200: { description: 'The plans', schema: z.array(productSchema) } },
      handle: () => Promise.resolve({ body: products }),
    }),
  ];
}

const products = PLAN_NAMES.map((name) => ({
  name,
  trialDays: name === 'Starter' ? 0 : TRIAL_DAYS,
  limits: PLANS[name].limits,
  features: PLANS[name].features,
  checkInterval: { minimum: 'PT1M', maximum: 'PT1H' },
}));
