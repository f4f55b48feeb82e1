import { z } from 'zod';
import { LIMIT_KEYS, type LimitKey } from '@watchpost/shared/plan-limits';
import { isoTimestamp } from '../../platform/http/schemas.js';
import { TRIAL_DAYS } from './decide-trial.js';
import { BUDGET_KINDS, type BudgetKind, PLAN_NAMES } from './plans.js';

const limit = z.int().min(0).nullable();

/** Limits by key; null means unlimited. */
export const limitsSchema = z.strictObject(
  Object.fromEntries(LIMIT_KEYS.map((key) => [key, limit])) as Record<LimitKey, typeof limit>,
);

const count = z.int().min(0);
/** Usage by the same keys. */
export const usageSchema = z.strictObject(
  Object.fromEntries(LIMIT_KEYS.map((key) => [key, count])) as Record<LimitKey, typeof count>,
);

const budgetsSchema = z.strictObject(
  Object.fromEntries(BUDGET_KINDS.map((kind) => [kind, count])) as Record<BudgetKind, typeof count>,
);

export const planNameSchema = z.enum(PLAN_NAMES);

export const productSchema = z.strictObject({
  name: planNameSchema,
  trialDays: z.int().meta({ description: 'Length of the free trial in days; 0 where there is nothing to try.' }),
  limits: limitsSchema,
  features: z.strictObject({
    monitorTypes: z.array(z.string()),
    customTimeout: z.boolean(),
    rotations: z.boolean(),
    mcpRead: z.boolean(),
    mcpWrite: z.boolean(),
    banner: z.boolean(),
    timelineWindows: z.array(z.string()),
  }),
  dailyBudgets: budgetsSchema.meta({
    description:
      'Messages a day (UTC) of an owner over all workspaces. Alerts and reports beyond `mails` or `sms` fail with ' +
      '`budget_exceeded`. Pages by mail are counted and always sent; pages by SMS go up to twice the number. ' +
      'Beyond `pingKib` KiB, the bodies of pings are not kept; the pings are.',
  }),
  trialDailyBudgets: budgetsSchema.meta({ description: 'The same during a trial' }),
  checkInterval: z.strictObject({ minimum: z.string(), maximum: z.string() }),
});

export type Product = z.output<typeof productSchema>;

export const trialSchema = z
  .strictObject({
    status: z.enum(['none', 'active', 'expired']),
    plan: planNameSchema.nullable().meta({ description: 'The plan that is or was tried' }),
    started: isoTimestamp.nullable(),
    ends: isoTimestamp.nullable(),
    daysRemaining: z.int().min(0).nullable().meta({ description: 'A day that has begun counts' }),
  })
  .meta({ id: 'Trial' });

export const trialInput = z
  .strictObject({
    plan: planNameSchema.meta({ description: `Any plan but Starter, for ${TRIAL_DAYS} days`, example: 'Growth' }),
  })
  .meta({ id: 'TrialStart' });
