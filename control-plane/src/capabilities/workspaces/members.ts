import { laterThan } from '@watchpost/shared/clock';
import { found } from '@watchpost/shared/fault';
import { type ListPage, mapPage, type Rows, type Tx } from '../../platform/db/tx.js';
import { viewOf } from '../../platform/http/view-of.js';
import { type OwnChange, recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { decideMemberChange, decideMemberRemoval, type MemberPatch } from './decide-member-change.js';
import { lockWorkspaceAs } from './lock-workspace.js';
import { type Member, memberSchema, type OwnMembership, type OwnMembershipPatch } from './member-schemas.js';
import { type MemberRow, memberStore } from './member-store.js';
import { patchNotificationPreferences, withDefaults } from './notification-preferences.js';
import { showPhoneNumber } from './show-phone-number.js';
import { callListeners, type WorkspaceChangeDeps, type WorkspaceDeps } from './workspace-deps.js';

type OwnDeps = WorkspaceDeps & Pick<WorkspaceChangeDeps, 'chatAccounts'>;
type LeavingDeps = WorkspaceDeps & Pick<WorkspaceChangeDeps, 'listeners'>;

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
 * @throws Fault `not_found`, `insufficient_workspace_role`, `last_owner`, `validation_failed`, `precondition_failed`
 */
export async function changeMember(
  deps: WorkspaceDeps,
  actor: Actor,
  memberId: string,
  patch: MemberPatch,
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
    await memberStore.save(workspaceId, tx, changed);
    await recordAudit(deps, tx, actor, memberChange(target, changed));
    return describeMember(changed);
  });
}

/**
 * Removes a member from the workspace, with the member's API keys. What else the member created stays.
 * @throws Fault `not_found`, `insufficient_workspace_role`, `last_owner`, `precondition_failed`
 */
export async function removeMember(deps: LeavingDeps, actor: Actor, memberId: string): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const { self } = await lockWorkspaceAs(tx, actor, 'Admin');
    const target = found(await memberStore.find(workspaceId, tx, memberId), 'member');
    actor.checkPrecondition?.(describeMember(target));
    decideMemberRemoval(self, target);
    await callListeners(deps, tx, { kind: 'memberLeaving', workspaceId, memberId, by: actor });
    await memberStore.remove(workspaceId, tx, memberId);
    await recordAudit(deps, tx, actor, memberChange(target, null));
  });
}

/** Leaves the workspace: anybody may but the Owner. @throws Fault `last_owner`, `not_found` */
export async function leaveWorkspace(deps: LeavingDeps & OwnDeps, actor: Actor): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const { self } = await lockWorkspaceAs(tx, actor, 'Viewer');
    actor.checkPrecondition?.(await describeSelf(deps, tx, actor, self));
    decideMemberRemoval(self, self);
    const { workspaceId } = actor.workspace;
    await callListeners(deps, tx, { kind: 'memberLeaving', workspaceId, memberId: self.id, by: actor });
    await memberStore.remove(workspaceId, tx, self.id);
    await recordAudit(deps, tx, actor, { ...memberChange(self, null), action: 'member.left' });
  });
}

/**
 * Changes how the caller is notified about this workspace, and the accounts with which the caller acknowledges in chats.
 * @throws Fault `validation_failed`, `precondition_failed`, `not_found`, `rate_limited`
 */
export async function changeOwnMembership(
  deps: OwnDeps,
  actor: Actor,
  { notificationPreferences: wanted, chatAccounts }: OwnMembershipPatch,
): Promise<OwnMembership> {
  const { answer, sendCodes } = await deps.db.transaction(async (tx) => {
    const { self } = await lockWorkspaceAs(tx, actor, 'Viewer');
    actor.checkPrecondition?.(await describeSelf(deps, tx, actor, self));
    let changed = self;
    if (wanted !== undefined) {
      const notificationPreferences =
        wanted === null ? {} : patchNotificationPreferences(self.notificationPreferences, wanted);
      changed = { ...self, notificationPreferences, lastModified: laterThan(self.lastModified, deps.clock.now()) };
      await memberStore.save(actor.workspace.workspaceId, tx, changed);
    }
    const codes = chatAccounts === undefined ? null : await deps.chatAccounts.replace(tx, actor, chatAccounts ?? []);
    return { answer: await describeSelf(deps, tx, actor, changed), sendCodes: codes };
  });
  await sendCodes?.();
  return answer;
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

async function describeSelf({ chatAccounts }: OwnDeps, tx: Tx, actor: Actor, row: MemberRow): Promise<OwnMembership> {
  const accounts = await chatAccounts.ofMember(tx, actor.workspace.workspaceId, row.id);
  return { ...describeMember(row), chatAccounts: accounts };
}

function memberFor(actor: Actor, row: MemberRow): Member {
  const member = describeMember(row);
  const { phoneNumber } = member.notificationPreferences;
  if (phoneNumber === null) return member;
  const shown = showPhoneNumber(phoneNumber, row.userId, actor);
  return { ...member, notificationPreferences: { ...member.notificationPreferences, phoneNumber: shown } };
}
