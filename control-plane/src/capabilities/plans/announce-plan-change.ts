import type { Clock } from '@watchpost/shared/clock';
import type { Database, Tx } from '../../platform/db/database.js';
import { entitlementsOf, type Entitlements } from './entitlements.js';
import type { PlanRow } from './plan-store.js';

/** Told, in the same transaction, that an account's plan is another now: what it covers has changed. */
export type PlanListener = (tx: Tx, userId: string, entitlements: Entitlements) => Promise<void>;

/** What changing plans takes. */
export interface PlanDeps {
  db: Database;
  clock: Clock;
  planListeners?: readonly PlanListener[];
  /** Called after the commit: wakes whoever hands out checks. Losing it costs time only, they also poll. */
  onPlansChanged?: () => void;
}

/** Within the transaction that holds the account. @returns what the account may have from now on */
export async function tellPlanListeners(
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
