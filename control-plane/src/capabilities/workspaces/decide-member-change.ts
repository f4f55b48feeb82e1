import { Fault } from '@watchpost/shared/fault';
import type { Role } from '../../platform/identity/caller.js';

export interface MemberState {
  id: string;
  role: Role;
  status: 'active' | 'suspended';
}

export interface MemberPatch {
  role?: Exclude<Role, 'Owner'> | undefined;
  status?: MemberState['status'] | undefined;
}

/**
 * Role and status of a member after a change by a person who manages members. There is always exactly one Owner, who ranks
 * above Admins and changes only by a transfer.
 * @throws Fault `insufficient_workspace_role`, `last_owner`, `validation_failed`
 */
export function decideMemberChange(
  by: Pick<MemberState, 'id' | 'role'>,
  target: MemberState,
  patch: MemberPatch,
): Pick<MemberState, 'role' | 'status'> {
  const after = { role: patch.role ?? target.role, status: patch.status ?? target.status };
  if (target.role === 'Owner') {
    requireNotOwner(by, 'Transfer the ownership first: a workspace always has an active Owner.', {
      changes: after.role !== target.role || after.status !== target.status,
    });
  }
  if (by.id === target.id && after.status === 'suspended') {
    throw new Fault('validation_failed', 'You cannot suspend yourself; you can leave the workspace.', [
      { path: 'status', message: 'must not be suspended for yourself' },
    ]);
  }
  return after;
}

/** @throws Fault `insufficient_workspace_role`, `last_owner` where the member must stay */
export function decideMemberRemoval(by: Pick<MemberState, 'id' | 'role'>, target: MemberState): void {
  if (target.role !== 'Owner') return;
  requireNotOwner(by, 'Transfer the ownership first, or delete the workspace: it always has an Owner.', {
    changes: true,
  });
}

function requireNotOwner(by: Pick<MemberState, 'role'>, message: string, { changes }: { changes: boolean }): void {
  if (by.role !== 'Owner') {
    throw new Fault('insufficient_workspace_role', `The Owner of a workspace is above the role ${by.role}.`);
  }
  if (changes) throw new Fault('last_owner', message);
}
