import { found } from '@watchpost/shared/fault';
import { type ListPage, mapPage, type Rows, type Tx } from '../../platform/db/tx.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Actor, Caller } from '../../platform/identity/caller.js';
import { channelLimit, entitlementsOf, GROUP_LIMIT_KEYS, type GroupLimitKey } from '../plans/index.js';
import type { WorkspaceDeps } from './workspace-deps.js';
import { type Workspace, workspaceSchema, workspaceSettingsSchema } from './workspace-schemas.js';
import { workspaceStore, type WorkspaceRow } from './workspace-store.js';

/** The caller's workspaces, newest first; with an API key the one that the key is good for. */
export async function listWorkspaces(
  deps: WorkspaceDeps,
  { userId, credential }: Caller,
  page: Rows,
): Promise<ListPage<Workspace>> {
  const onlyId = credential.type === 'apiKey' ? credential.workspaceId : null;
  return mapPage(await deps.db.read((tx) => workspaceStore.pageOfUser(tx, userId, onlyId, page)), workspaceOf);
}

/** The workspace that the actor is at work in. @throws Fault `not_found` where it was deleted a moment ago */
export async function getWorkspace(deps: WorkspaceDeps, { workspace }: Actor): Promise<Workspace> {
  return deps.db.read((tx) => readWorkspace(tx, workspace));
}

/** Like `getWorkspace`, within a transaction. */
export async function readWorkspace(
  tx: Tx,
  { workspaceId, memberId }: Pick<Actor['workspace'], 'workspaceId' | 'memberId'>,
): Promise<Workspace> {
  const row = found(await workspaceStore.find(workspaceId, tx, memberId), 'workspace');
  return workspaceOf(row);
}

/** The part of a workspace that its ETag covers: the fields that only people change. */
export function steadyPart({ role: _role, plan: _plan, limits: _limits, usage: _usage, ...steady }: Workspace) {
  return steady;
}

function usedGroups(byChannel: Readonly<Record<string, number>>): Record<GroupLimitKey, number> {
  const used = Object.fromEntries(GROUP_LIMIT_KEYS.map((key) => [key, 0])) as Record<GroupLimitKey, number>;
  for (const [channel, count] of Object.entries(byChannel)) used[channelLimit(channel)] += count;
  return used;
}

function workspaceOf(row: WorkspaceRow): Workspace {
  const { usedMonitors: monitors, usedExtraRegions: extraRegions, usedTeams: teams } = row;
  const { usedLocations: privateLocations } = row;
  return viewOf(workspaceSchema, {
    ...row,
    limits: entitlementsOf(row.plan, row.planLimits).limits,
    usage: { monitors, extraRegions, ...usedGroups(row.usedGroups), teams, privateLocations },
    settings: viewOf(workspaceSettingsSchema, row),
  });
}
