import type { Clock } from '@watchpost/shared/clock';
import type { Database, Tx } from '../../platform/db/database.js';
import { entitlementsOf, type Entitlements } from './entitlements.js';
import type { PlanRow } from './plan-store.js';

/** Called in the transaction that changes the plan of an account. */
export type PlanListener = (tx: Tx, userId: string, entitlements: Entitlements) => Promise<void>;

export interface PlanDeps {
  db: Database;
  clock: Clock;
  planListeners?: readonly PlanListener[];
  /** Called after the commit to wake the assignment of checks. A lost call only costs time, because the assignment also polls. */
  onPlansChanged?: () => void;
}

/** Calls the listeners in the transaction that has locked the account. @returns the new entitlements */
export async function callPlanListeners(
  deps: Pick<PlanDeps, 'planListeners'>,
  tx: Tx,
  { ownerId, plan, planLimits }: PlanRow,
): Promise<Entitlements> {
  const entitlements = entitlementsOf(plan, planLimits);
  for (const listener of deps.planListeners ?? []) await listener(tx, ownerId, entitlements);
  return entitlements;
}

export function announcePlanChange(deps: Pick<PlanDeps, 'onPlansChanged'>): void {
  deps.onPlansChanged?.();
}
