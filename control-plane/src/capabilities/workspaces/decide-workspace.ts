import type { Role } from '../../platform/identity/caller.js';

export interface Membership {
  workspaceId: string;
  memberId: string;
  role: Role;
  suspended: boolean;
  ownerId: string;
  /** When the user last switched to this workspace, ms since the epoch. */
  lastUsedMs: number;
  /** Whether it is the membership used last; ties go to the greater workspace id. */
  isLatest: boolean;
}

/** How a request names its workspace; undefined where it does not. */
export interface WorkspaceSelection {
  /** From a path under `/workspaces/{id}`; has precedence over the others. */
  pathId?: string | undefined;
  /** `X-Workspace-Id` */
  headerId?: string | undefined;
  /** Cookie `workspace_id` */
  cookieId?: string | undefined;
  /** Whether the most recently used one is the default among several; default true. */
  guess?: boolean;
  /** The request was resolved to this workspace before: its use is not recorded again. */
  isRepeat?: boolean;
}

export type WorkspaceDecision =
  | { kind: 'resolved'; membership: Membership }
  /** The path names a workspace that the caller does not belong to. */
  | { kind: 'not_found' }
  | { kind: 'no_workspace_context' }
  | { kind: 'member_suspended' };

/**
 * The workspace of a request: by path, then header, then cookie, then the only workspace, then the most recently used one.
 * A path or header with a foreign workspace is refused; a cookie with one is stale and ignored. A suspended membership is
 * reported where the request names the workspace; otherwise an active membership is preferred.
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
