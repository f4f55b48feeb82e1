import { parseArgs } from 'node:util';
import { Fault } from '@watchpost/shared/fault';
import type { PlanDeps } from './announce-plan-change.js';
import { LIMIT_KEYS } from '@watchpost/shared/plan-limits';
import { PLAN_NAMES } from './plans.js';
import { setPlan } from './set-plan.js';

/** `admin set-plan --user EMAIL|USER-ID --plan PLAN [--limit KEY=N …]`. */
export const setPlanCommand = {
  name: 'set-plan',
  usage: `set-plan --user EMAIL|USER-ID --plan ${PLAN_NAMES.join('|')} [--limit KEY=N|unlimited|plan]...`,
  summary: `Give an account a plan, and limits of its own (${LIMIT_KEYS.join(', ')}). The same plan again keeps its other limits; KEY=plan drops one, another plan all.`,

  /**
   * @returns the lines to print
   * @throws Fault `validation_failed`, `not_found`
   */
  async run(deps: PlanDeps, args: readonly string[]): Promise<string[]> {
    const { user, plan, limit } = optionsOf(args);
    if (!user || !plan) throw new Fault('validation_failed', `Usage: ${setPlanCommand.usage}`);
    const limits: Record<string, number | null | 'plan'> = {};
    for (const text of limit) {
      const [key, value] = limitOf(text);
      limits[key] = value;
    }
    const result = await setPlan(deps, { user, plan, limits });
    const shown = LIMIT_KEYS.map((key) => `${key}=${result.limits[key] ?? 'unlimited'}`).join(' ');
    return [`${result.account} is on ${result.plan}: ${shown}`];
  },
};

function optionsOf(args: readonly string[]): { user: string | undefined; plan: string | undefined; limit: string[] } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { user: { type: 'string' }, plan: { type: 'string' }, limit: { type: 'string', multiple: true } },
    });
    return { user: values.user, plan: values.plan, limit: values.limit ?? [] };
  } catch (error) {
    throw new Fault('validation_failed', `${(error as Error).message} Usage: ${setPlanCommand.usage}`);
  }
}

function limitOf(text: string): [string, number | null | 'plan'] {
  const match = /^(\w+)=(\d{1,9}|unlimited|plan)$/.exec(text);
  if (!match)
    throw new Fault(
      'validation_failed',
      `--limit takes KEY=N, KEY=unlimited or KEY=plan, and got ${JSON.stringify(text)}.`,
    );
  const [, key, value] = match as unknown as [string, string, string];
  if (value === 'plan') return [key, value];
  return [key, value === 'unlimited' ? null : Number(value)];
}
