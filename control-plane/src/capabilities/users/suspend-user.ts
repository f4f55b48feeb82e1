import type { Clock } from '@watchpost/shared/clock';
import { recordAudit } from '../audit/index.js';
import { findAccount } from '../plans/index.js';
import type { Database, Tx } from '../../platform/db/database.js';
import { userStore } from './user-store.js';

/** Called in the transaction that suspends an owner or ends the suspension: stops or resumes other work for the owner. */
export type SuspensionListener = (tx: Tx, ownerId: string, isSuspended: boolean) => Promise<void>;

export interface SuspensionDeps {
  db: Database;
  clock: Clock;
  suspensionListeners: readonly SuspensionListener[];
}

export interface Suspension {
  /** The email of the account, or its id where it has none. */
  account: string;
  /** false if it already was so. */
  isChanged: boolean;
  workspaces: number;
}

/**
 * Suspends an account or ends its suspension, for operators. A suspended user is refused, and the checks, deliveries and
 * status pages of the user's workspaces stop. Nothing is deleted or paused, so that the end of the suspension restores the
 * former state.
 * @param user the email or the id of the account
 * @throws Fault `not_found`, `validation_failed` for an email that names no single account
 */
export async function setSuspension(deps: SuspensionDeps, user: string, isSuspended: boolean): Promise<Suspension> {
  return deps.db.transaction(async (tx) => {
    const account = await findAccount(tx, user);
    const at = new Date(deps.clock.now());
    const isChanged = await userStore.setSuspended(tx, account.id, isSuspended ? at : null);
    const workspaces = await userStore.workspacesOwned(tx, account.id);
    if (isChanged) {
      for (const listener of deps.suspensionListeners) await listener(tx, account.id, isSuspended);
      const action = isSuspended ? 'workspace.suspended' : 'workspace.unsuspended';
      const [before, after] = [{ suspended: !isSuspended }, { suspended: isSuspended }];
      await recordAudit(
        deps,
        tx,
        'operator',
        ...workspaces.map((target) => ({ workspaceId: target.id, action, target, before, after }) as const),
      );
    }
    return { account: account.label, isChanged, workspaces: workspaces.length };
  });
}
