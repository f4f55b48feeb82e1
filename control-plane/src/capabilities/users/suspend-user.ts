import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
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
  email: string;
  /** false if it already was so. */
  isChanged: boolean;
  workspaces: number;
}

/**
 * Suspends an account or ends its suspension, for operators. A suspended user is refused, and the checks, deliveries and
 * status pages of the user's workspaces stop. Nothing is deleted or paused, so that the end of the suspension restores the
 * former state.
 * @throws Fault `not_found`, `validation_failed` for an email of several accounts
 */
export async function setSuspension(deps: SuspensionDeps, email: string, isSuspended: boolean): Promise<Suspension> {
  return deps.db.transaction(async (tx) => {
    const [account, ...others] = await userStore.findByEmail(tx, email);
    if (!account)
      throw new Fault(
        'not_found',
        `No account has the email ${email}; an account exists from its first signed-in request on.`,
      );
    if (others.length > 0) {
      const issuers = [account, ...others].map(({ issuer }) => issuer).join(', ');
      throw new Fault(
        'validation_failed',
        `${others.length + 1} accounts have the email ${email} (of ${issuers}): change it at one of them first.`,
      );
    }
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
    return { email: account.email, isChanged, workspaces: workspaces.length };
  });
}
