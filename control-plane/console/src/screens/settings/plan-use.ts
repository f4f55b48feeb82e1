import type { LimitKey } from '@watchpost/shared/plan-limits';
import type { Product, WorkspaceView } from './views.js';

/**
 * Which plan has more of what is used up.
 * @returns a sentence; undefined while there is room
 */
export function nextPlanText(
  limit: LimitKey,
  { limits, usage }: WorkspaceView,
  plans: readonly Product[],
): string | undefined {
  const most = limits[limit];
  if (most === null || usage[limit] < most) return undefined;
  const next = plans.find(({ limits: { [limit]: count } }) => count === null || count > most);
  if (next === undefined) return 'No plan has more. Ask the operator for a higher limit.';
  const count = next.limits[limit];
  const used = most === 0 ? 'Not in this plan' : 'Used up';
  return `${used}: ${next.name} has ${count === null ? 'no limit' : count}.`;
}
