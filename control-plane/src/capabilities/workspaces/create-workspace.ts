import { beyondMost, Fault, notFound } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { type ChangeAuthor, recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import { whomToAsk } from '../../platform/identity/admission.js';
import type { Caller, Requester } from '../../platform/identity/caller.js';
import { goneFault, lockAccountEntitlements } from '../plans/index.js';
import { decideWorkspaceSettings } from './decide-workspace-settings.js';
import { requireMappable } from './require-mappable.js';
import { membershipStore } from './membership-store.js';
import { readWorkspace } from './read-workspaces.js';
import type { WorkspaceChangeDeps, WorkspaceDeps } from './workspace-deps.js';
import { auditedWorkspace, type Workspace, type WorkspaceCreate } from './workspace-schemas.js';
import { workspaceStore } from './workspace-store.js';

/** More than people use, and few enough to count and list. */
export const MAX_OWNED_WORKSPACES = 100;

/**
 * Creates a workspace with the caller as its Owner.
 * @throws Fault `not_invited` where only operators create workspaces, `plan_limit_exceeded`, `not_found` (an action group)
 */
export async function createWorkspace(
  deps: WorkspaceDeps & Pick<WorkspaceChangeDeps, 'installation'>,
  requester: Requester,
  input: WorkspaceCreate,
): Promise<Workspace> {
  const { createWorkspaces, contact } = deps.installation;
  if (createWorkspaces === 'operators')
    throw new Fault(
      'not_invited',
      `In this installation of Watchpost only operators create workspaces: ${whomToAsk(contact)}`,
    );
  requireMappable(deps, {}, decideWorkspaceSettings(null, input.settings).roleMapping);
  return deps.db.transaction((tx) => createWorkspaceIn(tx, deps, requester.caller, requester, input));
}

/**
 * Creates a workspace with the user as its Owner.
 * @throws Fault `plan_limit_exceeded`, `not_found` (an action group, because a new workspace has none)
 */
export async function createWorkspaceIn(
  tx: Tx,
  deps: Pick<WorkspaceDeps, 'clock'>,
  { userId }: Pick<Caller, 'userId'>,
  author: ChangeAuthor,
  input: WorkspaceCreate,
): Promise<Workspace> {
  const entitlements = await lockAccountEntitlements(tx, userId);
  if (!entitlements) throw goneFault();
  if ((await workspaceStore.countOfOwner(userId, tx)) >= MAX_OWNED_WORKSPACES) {
    const message = `An account owns at most ${MAX_OWNED_WORKSPACES} workspaces; delete one that is not needed.`;
    throw beyondMost('workspaces', MAX_OWNED_WORKSPACES, message);
  }
  const nowMs = deps.clock.now();
  const [workspaceId, memberId] = [newId(nowMs), newId(nowMs)];
  const settings = decideWorkspaceSettings(null, input.settings);
  if (settings.defaultActionGroupIds.length > 0) throw notFound('action group');
  await workspaceStore.insert(workspaceId, tx, { name: input.name, isPersonal: false, ownerId: userId, nowMs });
  if (input.settings) {
    const lastModified = new Date(nowMs);
    await workspaceStore.save(workspaceId, tx, { name: input.name, ...settings, lastModified });
  }
  await membershipStore.insert(workspaceId, tx, { id: memberId, userId, role: 'Owner', nowMs });
  const workspace = await readWorkspace(tx, { workspaceId, memberId });
  await recordAudit(deps, tx, author, {
    workspaceId,
    action: 'workspace.created',
    target: workspace,
    after: auditedWorkspace(workspace),
  });
  return workspace;
}
