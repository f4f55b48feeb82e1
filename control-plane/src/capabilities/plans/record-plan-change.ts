import type { Clock } from '@watchpost/shared/clock';
import { type ChangeAuthor, recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import { entitlementsOf } from './entitlements.js';
import { type AccountRow, accountPlanStore } from './plan-store.js';

type PlanAction = 'workspace.plan_changed' | 'workspace.trial_started' | 'workspace.trial_ended';

/** Records the change in the audit log of each of the owner's workspaces. */
export async function recordPlanChange(
  deps: { clock: Clock },
  tx: Tx,
  author: ChangeAuthor,
  action: PlanAction,
  before: AccountRow,
  after: AccountRow,
): Promise<void> {
  const owned = await accountPlanStore.workspacesOf(tx, before.ownerId);
  const [from, to] = [auditedPlan(before), auditedPlan(after)];
  await recordAudit(
    deps,
    tx,
    author,
    ...owned.map((target) => ({ workspaceId: target.id, action, target, before: from, after: to })),
  );
}

function auditedPlan({ plan, planLimits, trialPlan, trialEnds }: AccountRow): object {
  const { limits } = entitlementsOf(plan, planLimits);
  return { plan, limits, trial: { plan: trialPlan, ends: trialEnds?.toISOString() ?? null } };
}
