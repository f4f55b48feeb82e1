import { laterThan } from '@watchpost/shared/clock';
import { found, invalidFields } from '@watchpost/shared/fault';
import { type ListPage, mapPage, type Rows, type Tx } from '../../platform/db/tx.js';
import { viewOf } from '../../platform/http/view-of.js';
import { type OwnChange, recordAudit } from '../audit/index.js';
import { type Actor, roleAllows } from '../../platform/identity/caller.js';
import { decideMemberChange, decideMemberRemoval, type MemberPatch } from './decide-member-change.js';
import { lockWorkspaceAs } from './lock-workspace.js';
import { type Member, memberSchema, type OwnMembership, type OwnMembershipPatch } from './member-schemas.js';
import { type MemberRow, memberStore } from './member-store.js';
import { patchNotificationPreferences, withDefaults } from './notification-preferences.js';
import { callListeners, type WorkspaceChangeDeps, type WorkspaceDeps } from './workspace-deps.js';

type GuardDeps = Pick<WorkspaceChangeDeps, 'reachableAfter'>;
type OwnDeps = WorkspaceDeps & Pick<WorkspaceChangeDeps, 'accounts'> & GuardDeps;
type LeavingDeps = WorkspaceDeps & Pick<WorkspaceChangeDeps, 'listeners'> & GuardDeps;

/** The members of the workspace, newest first. */
export async function listMembers(deps: WorkspaceDeps, actor: Actor, page: Rows): Promise<ListPage<Member>> {
  return mapPage(await deps.db.read((tx) => memberStore.page(actor.workspace.workspaceId, tx, page)), (row) =>
    memberFor(actor, row),
  );
}

/** @throws Fault `not_found` */
export async function getMember(deps: WorkspaceDeps, actor: Actor, memberId: string): Promise<Member> {
  const row = found(await deps.db.read((tx) => memberStore.find(actor.workspace.workspaceId, tx, memberId)), 'member');
  return memberFor(actor, row);
}

/** The membership of the caller. @throws Fault `not_found` where it has just ended */
export async function getOwnMembership(deps: OwnDeps, actor: Actor): Promise<OwnMembership> {
  return deps.db.read(async (tx) => {
    const row = found(await memberStore.findByUser(actor.workspace.workspaceId, tx, actor.caller.userId), 'member');
    return describeSelf(deps, tx, actor, row);
  });
}

/**
 * Changes the role of a member, suspends or reactivates it.
 * @param force false: not where nobody could be paged any more by a schedule of the member
 * @throws Fault `not_found`, `insufficient_workspace_role`, `last_owner`, `validation_failed`, `precondition_failed`,
 * `would_be_unreachable`
 */
export async function changeMember(
  deps: WorkspaceDeps & GuardDeps,
  actor: Actor,
  memberId: string,
  patch: MemberPatch,
  force = true,
): Promise<Member> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const { self } = await lockWorkspaceAs(tx, actor, 'Admin');
    const target = found(await memberStore.find(workspaceId, tx, memberId), 'member');
    actor.checkPrecondition?.(describeMember(target));
    const after = { ...target, ...decideMemberChange(self, target, patch) };
    if (after.role === target.role && after.status === target.status) return describeMember(target);
    // Who gives a role by hand keeps the mapping from it.
    const roleSource = after.role === target.role ? target.roleSource : ('hand' as const);
    const changed = { ...after, roleSource, lastModified: laterThan(target.lastModified, deps.clock.now()) };
    const requireReachable = await guardOf(deps, tx, actor, target, force || after.status === target.status);
    await memberStore.save(workspaceId, tx, changed);
    await requireReachable();
    await recordAudit(deps, tx, actor, memberChange(target, changed));
    return describeMember(changed);
  });
}

/**
 * Removes a member from the workspace, with the member's API keys. What else the member created stays.
 * @param force false: not where nobody could be paged any more by a schedule of the member
 * @throws Fault `not_found`, `insufficient_workspace_role`, `last_owner`, `precondition_failed`, `would_be_unreachable`
 */
export async function removeMember(deps: LeavingDeps, actor: Actor, memberId: string, force = true): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const { self } = await lockWorkspaceAs(tx, actor, 'Admin');
    const target = found(await memberStore.find(workspaceId, tx, memberId), 'member');
    actor.checkPrecondition?.(describeMember(target));
    decideMemberRemoval(self, target);
    const requireReachable = await guardOf(deps, tx, actor, target, force);
    await callListeners(deps, tx, { kind: 'memberLeaving', workspaceId, memberId, by: actor });
    await memberStore.remove(workspaceId, tx, memberId);
    await requireReachable();
    await recordAudit(deps, tx, actor, memberChange(target, null));
  });
}

/**
 * Leaves the workspace: anybody may but the Owner.
 * @param force false: not where nobody could be paged any more by a schedule of the caller
 * @throws Fault `last_owner`, `not_found`, `would_be_unreachable`
 */
export async function leaveWorkspace(deps: LeavingDeps & OwnDeps, actor: Actor, force = true): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const { self } = await lockWorkspaceAs(tx, actor, 'Viewer');
    actor.checkPrecondition?.(await describeSelf(deps, tx, actor, self));
    decideMemberRemoval(self, self);
    const { workspaceId } = actor.workspace;
    const requireReachable = await guardOf(deps, tx, actor, self, force);
    await callListeners(deps, tx, { kind: 'memberLeaving', workspaceId, memberId: self.id, by: actor });
    await memberStore.remove(workspaceId, tx, self.id);
    await requireReachable();
    await recordAudit(deps, tx, actor, { ...memberChange(self, null), action: 'member.left' });
  });
}

/**
 * Changes how the caller is notified about this workspace, and the caller's accounts at services.
 * @param force whether also where it leaves the only person on call without a way to be paged; default only where it is a
 * change of what the specification has, which refuses no more than it did
 * @throws Fault `validation_failed`, `precondition_failed`, `not_found`, `rate_limited`, `would_be_unreachable`
 */
export async function changeOwnMembership(
  deps: OwnDeps,
  actor: Actor,
  { notificationPreferences: wanted, ...lists }: OwnMembershipPatch,
  force?: boolean,
): Promise<OwnMembership> {
  const accounts = deps.accounts.change(actor, lists);
  const change = () =>
    deps.db.transaction(async (tx) => {
      const { self } = await lockWorkspaceAs(tx, actor, 'Viewer');
      actor.checkPrecondition?.(await describeSelf(deps, tx, actor, self));
      const isNew = wanted?.rules !== undefined || lists.contactMethods !== undefined;
      const requireReachable = await guardOf(deps, tx, actor, self, force ?? !isNew);
      let changed = self;
      if (wanted !== undefined) {
        const notificationPreferences =
          wanted === null ? {} : patchNotificationPreferences(self.notificationPreferences, wanted);
        changed = { ...self, notificationPreferences, lastModified: laterThan(self.lastModified, deps.clock.now()) };
        await memberStore.save(actor.workspace.workspaceId, tx, changed);
      }
      const isComplete = await accounts.apply(tx);
      const described = await describeSelf(deps, tx, actor, changed);
      if (wanted?.rules) requireMethods(described);
      await requireReachable();
      if (!isComplete) throw new CodesFirst();
      return described;
    });
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof CodesFirst)) throw error;
    }
    // It would succeed: where a code cannot be sent, nothing is stored. Another change can have come between; the budget of codes ends this.
    await accounts.sendCodes();
  }
}

/** Ends the transaction of a change that awaits codes. */
class CodesFirst extends Error {}

async function guardOf(
  deps: GuardDeps,
  tx: Tx,
  { workspace: { workspaceId } }: Actor,
  { userId }: MemberRow,
  isForced: boolean,
): Promise<() => Promise<void>> {
  return isForced ? async () => {} : deps.reachableAfter(tx, workspaceId, userId);
}

/** Records another role or status of a member in the audit log; null where the member is removed. */
export function memberChange(before: MemberRow, after: MemberRow | null): OwnChange {
  const auditedFields = ({ role, status }: MemberRow) => ({ role, status });
  return {
    action: actionOf(before, after),
    target: { id: before.id, name: null, userId: before.userId },
    before: auditedFields(before),
    after: after && auditedFields(after),
  };
}

function actionOf(before: MemberRow, after: MemberRow | null): OwnChange['action'] {
  if (after === null) return 'member.removed';
  if (after.role !== before.role) return 'member.role_changed';
  return after.status === 'suspended' ? 'member.suspended' : 'member.reactivated';
}

function describeMember(row: MemberRow): Member {
  const notificationPreferences = withDefaults(row.notificationPreferences);
  return viewOf(memberSchema, { ...row, notificationPreferences, created: row.joined });
}

async function describeSelf({ accounts }: OwnDeps, tx: Tx, actor: Actor, row: MemberRow): Promise<OwnMembership> {
  return { ...describeMember(row), ...(await accounts.ofMember(tx, actor.workspace.workspaceId, row.id)) };
}

/** @throws Fault `validation_failed` where a rule names a service at which there is no contact method */
function requireMethods({ notificationPreferences: { rules }, contactMethods }: OwnMembership): void {
  const types: readonly string[] = ['email', 'sms', 'voice', ...contactMethods.map(({ type }) => type)];
  const faults = (rules ?? []).flatMap(({ channel }, place) =>
    types.includes(channel)
      ? []
      : [{ path: `notificationPreferences.rules.${place}.channel`, message: 'needs one of your `contactMethods`' }],
  );
  if (faults.length > 0) throw invalidFields(faults);
}

function memberFor(actor: Actor, row: MemberRow): Member {
  const member = describeMember(row);
  const { phoneNumber } = member.notificationPreferences;
  if (phoneNumber === null) return member;
  const shown = showPhoneNumber(phoneNumber, row.userId, actor);
  return { ...member, notificationPreferences: { ...member.notificationPreferences, phoneNumber: shown } };
}

/** The members of a workspace with their email addresses, in lower case; null where an account has none. */
export function readMemberAddresses(tx: Tx, workspaceId: string): Promise<{ userId: string; email: string | null }[]> {
  return memberStore.addresses(workspaceId, tx);
}

/**
 * A member's phone number as the caller sees it: complete for the member and for Admins, and masked for the others.
 */
export function showPhoneNumber(number: string, ofUserId: string, { caller, workspace }: Actor): string {
  if (caller.userId === ofUserId || roleAllows(workspace.role, 'Admin')) return number;
  return `${number.slice(0, 3)}***${number.slice(-2)}`;
}
