import { LIMIT_KEYS } from '@watchpost/shared/plan-limits';
import { PLAN_NAMES, type PlanChange, setPlan } from '../../capabilities/plans/index.js';
import { planListeners } from '../compose-owner-changes.js';
import type { AdminDeps } from './command.js';
import { parseOptions, usageFault } from './parse-options.js';

const ABOUT = {
  name: 'set-plan',
  usage: `set-plan --user EMAIL|USER-ID --plan ${PLAN_NAMES.join('|')} [--limit KEY=N|unlimited|plan]... [--json]`,
  summary: `Give an account a plan, and limits of its own (${LIMIT_KEYS.join(', ')}). The same plan again keeps its other limits; KEY=plan drops one, another plan all.`,
};

export const setPlanCommand = {
  ...ABOUT,
  check: changeOf,
  async run({ db, clock }: Pick<AdminDeps, 'db' | 'clock'>, args: readonly string[]): Promise<string[]> {
    const { json, ...change } = changeOf(args);
    const result = await setPlan({ db, clock, planListeners: planListeners({ clock }) }, change);
    const { userId, account, plan, limits } = result;
    if (json) return [JSON.stringify({ userId, account, plan, limits })];
    const shown = LIMIT_KEYS.map((key) => `${key}=${limits[key] ?? 'unlimited'}`).join(' ');
    return [`${account} is on ${plan}: ${shown}`];
  },
};

function changeOf(args: readonly string[]): PlanChange & { json: boolean } {
  const { values } = parseOptions(ABOUT, args, {
    user: { type: 'string' },
    plan: { type: 'string' },
    limit: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  });
  const { user, plan, limit = [], json = false } = values;
  if (!user || !plan) throw usageFault(ABOUT, 'Name the account and the plan.');
  return { user, plan, limits: Object.fromEntries(limit.map(limitOf)), json };
}

function limitOf(text: string): [string, number | null | 'plan'] {
  const [, key, value] = /^(\w+)=(\d{1,9}|unlimited|plan)$/.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw usageFault(ABOUT, `--limit takes KEY=N, KEY=unlimited or KEY=plan, and got ${JSON.stringify(text)}.`);
  return [key, value === 'plan' ? value : value === 'unlimited' ? null : Number(value)];
}
