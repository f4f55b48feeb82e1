import { found } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import { entitlementsOf, type Entitlements } from './entitlements.js';
import { accountPlanStore, planStore } from './plan-store.js';

/** What the workspace may have, by its owner's plan. @throws Fault `not_found` where there is no such workspace */
export async function workspaceEntitlements(tx: Tx, workspaceId: string): Promise<Entitlements> {
  const row = found(await planStore.ofWorkspace(workspaceId, tx), 'workspace');
  return entitlementsOf(row.plan, row.planLimits);
}

/**
 * Like `workspaceEntitlements`, and locks the owner's account until the transaction ends: what the same transaction then
 * counts and adds cannot exceed a limit together with another request. Limits apply to all workspaces of the owner, so
 * count by `ownerId`.
 */
export async function lockWorkspaceEntitlements(
  tx: Tx,
  workspaceId: string,
): Promise<Entitlements & { ownerId: string }> {
  const row = found(await planStore.lockOfWorkspace(workspaceId, tx), 'workspace');
  return { ...entitlementsOf(row.plan, row.planLimits), ownerId: row.ownerId };
}

/** The same for an account. @returns undefined if it does not exist */
export async function lockAccountEntitlements(tx: Tx, userId: string): Promise<Entitlements | undefined> {
  const row = await accountPlanStore.lock(tx, userId);
  return row && entitlementsOf(row.plan, row.planLimits);
}
