import type { Role } from '../../platform/identity/caller.js';

/** One workspace that a user belongs to. */
export interface Membership {
  workspaceId: string;
  memberId: string;
  role: Role;
  suspended: boolean;
  ownerId: string;
  /** When the user last began to work there, coming from another workspace; ms since the epoch. */
  lastUsedMs: number;
  /** Whether no other membership of the user was used later; ties go to the greater workspace id. */
  isLatest: boolean;
}

/** What a request says about its workspace; undefined where it says nothing. */
export interface WorkspaceSelection {
  /** From a path under `/workspaces/{id}`: it wins over everything. */
  pathId?: string | undefined;
  /** `X-Workspace-Id` */
  headerId?: string | undefined;
  /** Cookie `workspace_id` */
  cookieId?: string | undefined;
  /** Whether the most recently used one is taken where several could be meant; default true. */
  guess?: boolean;
}

export type WorkspaceDecision =
  | { kind: 'resolved'; membership: Membership }
  /** The path names a workspace that the caller does not belong to. */
  | { kind: 'not_found' }
  | { kind: 'no_workspace_context' }
  | { kind: 'member_suspended' };

/**
 * Which workspace a request is about: path, then header, then cookie, then the only workspace, then the
 * most recently used one. A path or header that names a foreign workspace ends the matter; a cookie that
 * does is stale, and passed over, since nobody wrote it into this request. Suspension is told to whoever
 * names the workspace; where none is named, a workspace that can be used is preferred.
 */
export function decideWorkspace(memberships: readonly Membership[], selection: WorkspaceSelection): WorkspaceDecision {
  const named = (id: string): Membership | undefined =>
    memberships.find(({ workspaceId }) => workspaceId === id.toLowerCase());
  if (selection.pathId !== undefined) {
    const membership = named(selection.pathId);
    return membership ? unlessSuspended(membership) : { kind: 'not_found' };
  }
  if (selection.headerId !== undefined) {
    const membership = named(selection.headerId);
    return membership ? unlessSuspended(membership) : { kind: 'no_workspace_context' };
  }
  const remembered = selection.cookieId === undefined ? undefined : named(selection.cookieId);
  if (remembered) return unlessSuspended(remembered);

  const [first, ...others] = memberships.filter(({ suspended }) => !suspended);
  if (first && others.length > 0 && selection.guess === false) return { kind: 'no_workspace_context' };
  if (first) return { kind: 'resolved', membership: others.reduce(laterUsed, first) };
  return { kind: memberships.length > 0 ? 'member_suspended' : 'no_workspace_context' };
}

function unlessSuspended(membership: Membership): WorkspaceDecision {
  return membership.suspended ? { kind: 'member_suspended' } : { kind: 'resolved', membership };
}

/** Ties go to the greater id, so that the answer does not depend on the order of rows. */
function laterUsed(one: Membership, other: Membership): Membership {
  if (one.lastUsedMs !== other.lastUsedMs) return one.lastUsedMs > other.lastUsedMs ? one : other;
  return one.workspaceId > other.workspaceId ? one : other;
}
