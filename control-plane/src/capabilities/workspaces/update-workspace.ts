import { laterThan } from '@watchpost/shared/clock';
import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { decideWorkspaceSettings, movesVerdicts } from './decide-workspace-settings.js';
import { lockWorkspaceAs } from './lock-workspace.js';
import { requireMappable } from './require-mappable.js';
import { readWorkspace, steadyPart } from './read-workspaces.js';
import { callListeners, type WorkspaceChangeDeps } from './workspace-deps.js';
import { auditedWorkspace, type Workspace, type WorkspacePatch } from './workspace-schemas.js';
import { workspaceStore } from './workspace-store.js';

/**
 * Renames a workspace or changes its settings. An unchanged workspace is not written.
 * @throws Fault `insufficient_workspace_role`, `precondition_failed`, `not_found` (the workspace, an action group)
 */
export async function updateWorkspace(
  deps: WorkspaceChangeDeps,
  actor: Actor,
  patch: WorkspacePatch,
): Promise<Workspace> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const { workspace, self } = await lockWorkspaceAs(tx, actor, 'Admin');
    const current = await readWorkspace(tx, { workspaceId, memberId: self.id });
    actor.checkPrecondition?.(steadyPart(current));
    const name = patch.name ?? workspace.name;
    const settings = decideWorkspaceSettings(current.settings, patch.settings);
    if (name === current.name && isDeepStrictEqual(settings, current.settings)) return current;
    requireMappable(deps, current.settings.roleMapping, settings.roleMapping);
    if (!isDeepStrictEqual(settings.defaultActionGroupIds, current.settings.defaultActionGroupIds)) {
      await deps.requireActionGroups(tx, workspaceId, settings.defaultActionGroupIds);
    }
    const lastModified = laterThan(workspace.lastModified, deps.clock.now());
    await workspaceStore.save(workspaceId, tx, { name, ...settings, lastModified });
    if (movesVerdicts(current.settings, settings)) {
      await callListeners(deps, tx, { kind: 'verdictSettingsChanged', workspaceId });
    }
    const changed = await readWorkspace(tx, { workspaceId, memberId: self.id });
    await recordAudit(deps, tx, actor, {
      action: 'workspace.updated',
      target: changed,
      before: auditedWorkspace(current),
      after: auditedWorkspace(changed),
    });
    return changed;
  });
}
