import { laterThan } from '@watchpost/shared/clock';
import { beyondMost, Fault, notFound, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { DAY_MS } from '@watchpost/shared/time';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { hashToken, makeToken } from '../../platform/identity/secret-token.js';
import { viewOf } from '../../platform/http/view-of.js';
import { type OwnChange, recordAudit } from '../audit/index.js';
import { type ListPage, mapPage, type Rows, type Tx } from '../../platform/db/tx.js';
import type { Actor } from '../../platform/identity/caller.js';
import { requireOpen, statusAt } from './decide-invitation-answer.js';
import {
  type Invitation,
  type InvitationInput,
  invitationSchema,
  type InvitationWithLink,
} from './invitation-schemas.js';
import { invitationLinkStore, type InvitationRow, invitationStore, anyInvitationStore } from './invitation-store.js';
import { invitationMail } from './invitation-mail.js';
import { lockWorkspaceAs } from './lock-workspace.js';
import { memberStore } from './member-store.js';
import type { InvitationDeps, WorkspaceDeps } from './workspace-deps.js';
import type { Database } from '../../platform/db/database.js';

export const INVITATION_DAYS = 7;
export const MAX_PENDING_INVITATIONS = 100;
/** Pending and expired invitations together. */
export const MAX_LISTED_INVITATIONS = 1_000;
/**
 * Mailed links per day: by all workspaces of an owner to one address, by all owners to one address, and by one person to
 * all addresses.
 */
export const MAX_LINKS_A_DAY = { ofOwner: 10, ofAll: 50, ofInviter: 200 };

/**
 * Invites a person by email. Replaces a pending or expired invitation of the same address.
 * @throws Fault `already_member`, `plan_limit_exceeded` (too many are open), `rate_limited` (links for the address),
 *   `insufficient_workspace_role`
 */
export async function inviteMember(
  deps: InvitationDeps,
  actor: Actor,
  { email, role }: InvitationInput,
): Promise<InvitationWithLink> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const { workspace } = await lockWorkspaceAs(tx, actor, 'Admin');
    if (await memberStore.hasEmail(workspaceId, tx, email)) {
      throw new Fault('already_member', `${email} is a member of this workspace already.`);
    }
    const nowMs = deps.clock.now();
    const now = new Date(nowMs);
    const former = await invitationStore.findOpenOf(workspaceId, tx, email);
    if (former) {
      await invitationStore.settle(workspaceId, tx, former.id, 'revoked', now);
      await recordAudit(deps, tx, actor, invitationRevoked(former, nowMs));
    }
    await requireInvitationCapacity(tx, workspaceId, now);
    await noteLink(tx, { email, ownerId: workspace.ownerId, userId: actor.caller.userId }, nowMs);
    const token = makeToken();
    const row: InvitationRow = {
      id: newId(nowMs),
      workspaceId,
      email,
      role,
      status: 'pending',
      invitedBy: actor.caller.userId,
      expiresAt: new Date(nowMs + INVITATION_DAYS * DAY_MS),
      created: now,
      lastModified: now,
    };
    await invitationStore.insert(workspaceId, tx, row, hashToken(token));
    const { expiresAt } = describeInvitation(row, nowMs);
    await recordAudit(deps, tx, actor, {
      action: 'invitation.created',
      target: { id: row.id, name: email },
      after: { email, role, status: row.status, expiresAt, link: MASK },
    });
    return { ...describeInvitation(row, nowMs), link: await sendLink(deps, tx, actor, row, token) };
  });
}

/** Pending and expired invitations, newest first. */
export async function listInvitations(
  deps: WorkspaceDeps,
  { workspace }: Actor,
  page: Rows,
): Promise<ListPage<Invitation>> {
  const nowMs = deps.clock.now();
  return mapPage(await deps.db.read((tx) => invitationStore.pageOpen(workspace.workspaceId, tx, page)), (row) =>
    describeInvitation(row, nowMs),
  );
}

/** One invitation, whatever its status. @throws Fault `not_found` */
export async function getInvitation(deps: WorkspaceDeps, { workspace }: Actor, id: string): Promise<Invitation> {
  const row = found(await deps.db.read((tx) => invitationStore.find(workspace.workspaceId, tx, id)), 'invitation');
  return describeInvitation(row, deps.clock.now());
}

/**
 * Revokes a pending or expired invitation, which is then no longer found.
 * @throws Fault `not_found`, `invitation_not_pending`, `precondition_failed`, `insufficient_workspace_role`
 */
export async function revokeInvitation(deps: WorkspaceDeps, actor: Actor, id: string): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    await lockWorkspaceAs(tx, actor, 'Admin');
    const row = await invitationStore.find(workspaceId, tx, id);
    if (!row || row.status === 'revoked') throw notFound('open invitation');
    const nowMs = deps.clock.now();
    actor.checkPrecondition?.(describeInvitation(row, nowMs));
    requireOpen(statusAt(row, nowMs));
    await invitationStore.settle(workspaceId, tx, id, 'revoked', new Date(nowMs));
    await recordAudit(deps, tx, actor, invitationRevoked(row, nowMs));
  });
}

/**
 * Replaces the link by a new one that is valid for the full time. An expired invitation becomes pending again.
 * @throws Fault `not_found`, `invitation_not_pending`, `plan_limit_exceeded`, `rate_limited`, `insufficient_workspace_role`
 */
export async function regenerateLink(deps: InvitationDeps, actor: Actor, id: string): Promise<InvitationWithLink> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const { workspace } = await lockWorkspaceAs(tx, actor, 'Admin');
    const row = found(await invitationStore.find(workspaceId, tx, id), 'invitation');
    const nowMs = deps.clock.now();
    const status = statusAt(row, nowMs);
    requireOpen(status);
    if (status === 'expired') await requireInvitationCapacity(tx, workspaceId, new Date(nowMs), { isListed: true });
    await noteLink(tx, { email: row.email, ownerId: workspace.ownerId, userId: actor.caller.userId }, nowMs);
    const token = makeToken();
    const renewed = {
      ...row,
      expiresAt: new Date(nowMs + INVITATION_DAYS * DAY_MS),
      lastModified: laterThan(row.lastModified, nowMs),
    };
    await invitationStore.replaceToken(workspaceId, tx, renewed, hashToken(token));
    await recordAudit(deps, tx, actor, {
      action: 'invitation.link_regenerated',
      target: { id, name: row.email },
      before: describeInvitation(row, nowMs),
      after: describeInvitation(renewed, nowMs),
      secrets: ['link'],
    });
    return { ...describeInvitation(renewed, nowMs), link: await sendLink(deps, tx, actor, renewed, token) };
  });
}

/** For the audit log. */
function invitationRevoked(row: InvitationRow, nowMs: number): OwnChange {
  const { id, email } = row;
  return {
    action: 'invitation.revoked',
    target: { id, name: email },
    before: { status: statusAt(row, nowMs) },
    after: { status: 'revoked' },
  };
}

export function describeInvitation(row: InvitationRow, nowMs: number): Invitation {
  return viewOf(invitationSchema, { ...row, status: statusAt(row, nowMs) });
}

/** Mails the link to the invited person. @returns the link */
async function sendLink(
  deps: InvitationDeps,
  tx: Tx,
  { workspace, caller }: Actor,
  row: InvitationRow,
  token: string,
): Promise<string> {
  const link = `${deps.baseUrl}/invitations/accept?token=${token}`;
  const names = await invitationStore.names(workspace.workspaceId, tx, caller.userId);
  await deps.sendMail(tx, workspace.workspaceId, invitationMail(row, names, link));
  return link;
}

/** The workspace must be locked. @throws Fault `plan_limit_exceeded` if one more pending or listed invitation exceeds a limit */
async function requireInvitationCapacity(
  tx: Tx,
  workspaceId: string,
  now: Date,
  { isListed = false } = {},
): Promise<void> {
  const { pending, open } = await invitationStore.countOpen(workspaceId, tx, now);
  const refuseFrom = (most: number, count: number, limit: string, what: string) => {
    if (count >= most) throw beyondMost(limit, most, `A workspace has at most ${most} ${what}.`);
  };
  refuseFrom(MAX_PENDING_INVITATIONS, pending, 'pendingInvitations', 'pending invitations; revoke some first');
  if (isListed) return;
  const what = 'pending and expired invitations; revoke some expired ones first';
  refuseFrom(MAX_LISTED_INVITATIONS, open, 'invitations', what);
}

/** Counts a link that is about to be mailed. @throws Fault `rate_limited` where it would be one too many today */
async function noteLink(
  tx: Tx,
  link: { email: string; ownerId: string; userId: string },
  nowMs: number,
): Promise<void> {
  await invitationLinkStore.lock(tx, link);
  const made = await invitationLinkStore.count(tx, link, new Date(nowMs - DAY_MS));
  if (made.ofInviter >= MAX_LINKS_A_DAY.ofInviter) {
    throw new Fault('rate_limited', 'You invited often enough for now: try again tomorrow.', [], 86_400);
  }
  if (made.ofOwner >= MAX_LINKS_A_DAY.ofOwner || made.ofAll >= MAX_LINKS_A_DAY.ofAll) {
    throw new Fault('rate_limited', 'This address was invited often enough for now: try again tomorrow.', [], 86_400);
  }
  await invitationLinkStore.insert(tx, { ...link, created: new Date(nowMs) });
}

/** An invitation is kept for this time after it was answered or revoked. */
const KEPT_MS = 90 * DAY_MS;
const BATCH = 1_000;

/** Deletes invitations that were answered or revoked long ago. Pending and expired ones stay, because they can be regenerated. */
export async function purgeInvitations({ db, clock }: WorkspaceDeps): Promise<void> {
  const nowMs = clock.now();
  await db.transaction((tx) => invitationLinkStore.purge(tx, new Date(nowMs - DAY_MS)));
  const before = new Date(nowMs - KEPT_MS);
  while ((await db.transaction((tx) => anyInvitationStore.purge(tx, before, BATCH))) === BATCH);
}

/** @returns whether an invitation to any workspace waits for this address */
export function isInvited(db: Database, email: string, nowMs: number): Promise<boolean> {
  return db.read((tx) => invitationStore.isPending(tx, email.toLowerCase(), new Date(nowMs)));
}
