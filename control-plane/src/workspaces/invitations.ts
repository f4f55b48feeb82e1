import { laterThan } from '@watchpost/shared/clock';
import { Fault, notFound } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../db/database.js';
import type { Actor } from '../identity/caller.js';
import { requirePending, standingOf } from './decide-invitation-answer.js';
import type { Invitation, InvitationInput, InvitationWithLink } from './invitation-schemas.js';
import { anyInvitationStore, type InvitationRow, invitationStore } from './invitation-store.js';
import { invitationMail } from './invitation-mail.js';
import { invitationLink, makeInvitationToken } from './invitation-token.js';
import { lockWorkspaceAs } from './lock-workspace.js';
import { memberStore } from './member-store.js';
import type { InvitationDeps, WorkspaceDeps } from './workspace-deps.js';

const DAY_MS = 86_400_000;
export const INVITATION_DAYS = 7;
export const MAX_PENDING_INVITATIONS = 100;
/** Links a day, each of which is mailed: what a workspace may make for one address, all together for it, and one person for anybody. */
export const MAX_LINKS_A_DAY = { ofWorkspace: 10, ofAll: 50, ofInviter: 200 };

type CheckInvitation = (current: Invitation) => void;

/**
 * Invites a person by email. An invitation of the same address that is still pending is revoked: the new one
 * takes its place.
 * @throws Fault `already_member`, `plan_limit_exceeded` (pending ones), `rate_limited` (links for the address),
 *   `insufficient_workspace_role`
 */
export async function inviteMember(
  deps: InvitationDeps,
  actor: Actor,
  { email, role }: InvitationInput,
): Promise<InvitationWithLink> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    await lockWorkspaceAs(tx, actor, 'Admin');
    if (await memberStore.hasEmail(workspaceId, tx, email)) {
      throw new Fault('already_member', `${email} is a member of this workspace already.`);
    }
    const nowMs = deps.clock.now();
    const now = new Date(nowMs);
    const former = await invitationStore.findPendingOf(workspaceId, tx, email);
    if (former) {
      const standing = standingOf(former, nowMs);
      const status = standing === 'pending' ? 'revoked' : standing;
      await invitationStore.settle(workspaceId, tx, former.id, status, now);
    }
    if ((await invitationStore.countPending(workspaceId, tx, now)) >= MAX_PENDING_INVITATIONS) throw tooManyPending();
    await requireWithinLinks(tx, actor, email, nowMs);
    const { token, hash } = makeInvitationToken();
    const row: InvitationRow = {
      id: newId(nowMs),
      workspaceId,
      email,
      role,
      status: 'pending',
      invitedBy: actor.caller.userId,
      links: 1,
      expiresAt: new Date(nowMs + INVITATION_DAYS * DAY_MS),
      created: now,
      lastModified: now,
    };
    await invitationStore.insert(workspaceId, tx, row, hash);
    return { ...describeInvitation(row, nowMs), link: await sendLink(deps, tx, actor, row, token) };
  });
}

/** The pending invitations, newest first. */
export async function listInvitations(
  deps: WorkspaceDeps,
  { workspace }: Actor,
  page: { limit: number; offset: number },
): Promise<{ items: Invitation[]; total: number }> {
  const nowMs = deps.clock.now();
  const { rows, total } = await deps.db.read((tx) =>
    invitationStore.pagePending(workspace.workspaceId, tx, new Date(nowMs), page),
  );
  return { items: rows.map((row) => describeInvitation(row, nowMs)), total };
}

/** One invitation, pending or not. @throws Fault `not_found` */
export async function getInvitation(deps: WorkspaceDeps, { workspace }: Actor, id: string): Promise<Invitation> {
  const row = await deps.db.read((tx) => invitationStore.find(workspace.workspaceId, tx, id));
  if (!row) throw notFound('invitation');
  return describeInvitation(row, deps.clock.now());
}

/**
 * Takes a pending invitation back. A revoked one is not found again.
 * @throws Fault `not_found`, `invitation_not_pending`, `precondition_failed`, `insufficient_workspace_role`
 */
export async function revokeInvitation(
  deps: WorkspaceDeps,
  actor: Actor,
  id: string,
  checkPrecondition: CheckInvitation = () => {},
): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    await lockWorkspaceAs(tx, actor, 'Admin');
    const row = await invitationStore.find(workspaceId, tx, id);
    if (!row || row.status === 'revoked') throw notFound('pending invitation');
    const nowMs = deps.clock.now();
    checkPrecondition(describeInvitation(row, nowMs));
    requirePending(standingOf(row, nowMs));
    await invitationStore.settle(workspaceId, tx, id, 'revoked', new Date(nowMs));
  });
}

/**
 * Makes a new link, with a full time of its own; the old one is of no use from then on.
 * @throws Fault `not_found`, `invitation_not_pending`, `rate_limited`, `insufficient_workspace_role`
 */
export async function regenerateLink(deps: InvitationDeps, actor: Actor, id: string): Promise<InvitationWithLink> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    await lockWorkspaceAs(tx, actor, 'Admin');
    const row = await invitationStore.find(workspaceId, tx, id);
    if (!row) throw notFound('invitation');
    const nowMs = deps.clock.now();
    requirePending(standingOf(row, nowMs));
    await requireWithinLinks(tx, actor, row.email, nowMs);
    if (row.links >= MAX_LINKS_A_DAY.ofWorkspace) throw tooManyLinks();
    const { token, hash } = makeInvitationToken();
    const renewed = {
      ...row,
      links: row.links + 1,
      expiresAt: new Date(nowMs + INVITATION_DAYS * DAY_MS),
      lastModified: laterThan(row.lastModified, nowMs),
    };
    await invitationStore.replaceToken(workspaceId, tx, renewed, hash);
    return { ...describeInvitation(renewed, nowMs), link: await sendLink(deps, tx, actor, renewed, token) };
  });
}

export function describeInvitation(row: InvitationRow, nowMs: number): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: standingOf(row, nowMs),
    invitedBy: row.invitedBy,
    expiresAt: row.expiresAt.toISOString(),
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}

/** Mails the link to the one invited. @returns it */
async function sendLink(
  deps: InvitationDeps,
  tx: Tx,
  { workspace, caller }: Actor,
  row: InvitationRow,
  token: string,
): Promise<string> {
  const link = invitationLink(deps.baseUrl, token);
  const names = await invitationStore.names(workspace.workspaceId, tx, caller.userId);
  await deps.sendMail(tx, workspace.workspaceId, invitationMail(row, names, link));
  return link;
}

async function requireWithinLinks(tx: Tx, { workspace, caller }: Actor, email: string, nowMs: number): Promise<void> {
  const since = new Date(nowMs - DAY_MS);
  if ((await anyInvitationStore.countLinksBy(tx, caller.userId, since)) >= MAX_LINKS_A_DAY.ofInviter) {
    throw new Fault('rate_limited', 'You invited often enough for now: try again tomorrow.', [], 86_400);
  }
  const made = await anyInvitationStore.countLinks(tx, email, workspace.workspaceId, since);
  if (made.ofWorkspace >= MAX_LINKS_A_DAY.ofWorkspace || made.ofAll >= MAX_LINKS_A_DAY.ofAll) throw tooManyLinks();
}

function tooManyLinks(): Fault {
  return new Fault('rate_limited', 'This address was invited often enough for now: try again tomorrow.', [], 86_400);
}

function tooManyPending(): Fault {
  const message = `A workspace has at most ${MAX_PENDING_INVITATIONS} pending invitations; revoke some first.`;
  const detail = { path: '', message, limit: 'pendingInvitations', value: MAX_PENDING_INVITATIONS, plan: null };
  return new Fault('plan_limit_exceeded', message, [detail]);
}
