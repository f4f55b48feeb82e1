import { notFound } from '@watchpost/shared/fault';
import type { Actor, Caller } from '../identity/caller.js';
import { entitlementsOf } from '../plans/index.js';
import type { WorkspaceDeps } from './resolve-workspace.js';
import type { Workspace } from './workspace-schemas.js';
import { workspaceStore, type WorkspaceRow } from './workspace-store.js';

/** The caller's workspaces, newest first. */
export async function listWorkspaces(
  deps: WorkspaceDeps,
  caller: Caller,
  page: { limit: number; offset: number },
): Promise<{ items: Workspace[]; total: number }> {
  const { rows, total } = await deps.db.read((tx) => workspaceStore.pageOfUser(tx, caller.userId, page));
  return { items: rows.map(workspaceOf), total };
}

/** The workspace that the actor is at work in. @throws Fault `not_found` where it was deleted a moment ago */
export async function getWorkspace(deps: WorkspaceDeps, { workspace }: Actor): Promise<Workspace> {
  const row = await deps.db.read((tx) => workspaceStore.find(workspace.workspaceId, tx, workspace.memberId));
  if (!row) throw notFound('workspace');
  return workspaceOf(row);
}

function workspaceOf(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    isPersonal: row.isPersonal,
    ownerId: row.ownerId,
    plan: row.plan,
    role: row.role,
    limits: entitlementsOf(row.plan, row.planLimits).limits,
    usage: {
      monitors: row.usedMonitors,
      extraRegions: row.usedExtraRegions,
      emailGroups: 0,
      slackGroups: 0,
      msTeamsGroups: 0,
      smsGroups: 0,
      webhookGroups: 0,
      teams: 0,
    },
    settings: {
      timezone: row.timezone,
      autoCloseIncidents: row.autoCloseIncidents,
      incidentQuorum: row.incidentQuorum,
      defaultActionGroupIds: row.defaultActionGroupIds,
    },
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}
