import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { FIRST_SCREEN } from '@watchpost/shared/first-screen';
import { isUuid } from '@watchpost/shared/id';
import type { SecretBox } from '../../platform/db/secret-box.js';
import type { Database } from '../../platform/db/database.js';
import type { Caller, Via, WorkspaceAccess } from '../../platform/identity/caller.js';
import { countMonitorGroups, groupingText, listMonitors, MONITOR_FORM } from '../monitors/index.js';
import { readEventId } from '../events/index.js';
import { type OverviewDeps, readOverview } from '../overview/index.js';
import { readMonitorCharts } from '../figures/index.js';
import { readUser } from '../users/index.js';
import { listWorkspaces, resolveWorkspace } from '../workspaces/index.js';
import type { FirstDocument } from './first-document-schemas.js';

export interface FirstDocumentDeps {
  db: Database;
  clock: Clock;
  version: string;
  overview: OverviewDeps;
  mayCreateWorkspaces: boolean;
  isLocal: boolean;
  roleClaim: string | null;
  retentionDays: number;
  secretBox: SecretBox;
  /** Without a slash at the end. */
  baseUrl: string;
}

/** A page of the console: an overview, another screen of a workspace, or one without a workspace. */
export interface ConsolePlace {
  /** null for the default workspace. */
  workspaceId: string | null;
  isOverview: boolean;
  /** The picture of the overview is grouped by this; '' for nothing. */
  groupedBy: string;
}

/** @returns undefined for a path that the console does not have */
export function decideConsolePlace(path: string, query: URLSearchParams): ConsolePlace | undefined {
  const groupedBy = query.get('by') ?? '';
  if (/^\/console\/?$/.test(path)) return { workspaceId: null, isOverview: true, groupedBy };
  if (/^\/console\/invitations\/[^/]+$/.test(path)) return { workspaceId: null, isOverview: false, groupedBy };
  const [, workspaceId, rest] = /^\/console\/w\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (workspaceId === undefined) return undefined;
  return { workspaceId, isOverview: rest === undefined || rest === '/', groupedBy };
}

/**
 * Reads the first document by the verbs that REST has.
 * @throws Fault `not_found` for a workspace that the user does not belong to, `member_suspended`
 */
export async function readFirstDocument(
  deps: FirstDocumentDeps,
  caller: Caller,
  via: Via,
  place: ConsolePlace,
): Promise<FirstDocument> {
  const [workspace, eventId] = await Promise.all([
    findWorkspace(deps, caller, place.workspaceId),
    readEventId(deps.db),
  ]);
  const [user, workspaces] = await Promise.all([
    readUser(deps, caller.userId),
    listWorkspaces(deps, caller, { limit: FIRST_SCREEN.workspaces, offset: 0 }),
  ]);
  const first =
    workspace && place.isOverview ? await readFirstScreen(deps, { caller, workspace, via }, place.groupedBy) : null;
  return {
    version: deps.version,
    user: { id: user.id, name: user.name ?? user.email ?? 'You', email: user.email },
    workspaces: workspaces.items.map(({ id, name, role, plan }) => ({ id, name, role, plan })),
    workspaceId: workspace?.workspaceId ?? null,
    mayCreateWorkspaces: deps.mayCreateWorkspaces,
    isLocal: deps.isLocal,
    roleClaim: deps.roleClaim,
    eventId,
    serverTime: new Date(deps.clock.now()).toISOString(),
    overview: first?.overview ?? null,
    groups: first?.groups ?? null,
    monitors: first?.monitors ?? null,
    monitorForm: MONITOR_FORM,
  };
}

async function findWorkspace(
  deps: FirstDocumentDeps,
  caller: Caller,
  pathId: string | null,
): Promise<WorkspaceAccess | null> {
  if (pathId !== null && !isUuid(pathId)) throw new Fault('not_found', 'There is no such workspace.');
  try {
    return await resolveWorkspace(deps, caller, pathId === null ? {} : { pathId: pathId.toLowerCase() });
  } catch (error) {
    if (pathId === null && error instanceof Fault && error.code === 'no_workspace_context') return null;
    throw error;
  }
}

async function readFirstScreen(
  deps: FirstDocumentDeps,
  actor: { caller: Caller; workspace: WorkspaceAccess; via: Via },
  groupedBy: string,
): Promise<Pick<FirstDocument, 'overview' | 'groups' | 'monitors'>> {
  const readList = async () => {
    const { items, total } = await listMonitors(deps, actor, {}, { limit: FIRST_SCREEN.monitors, offset: 0 }, 'health');
    const ids = items.map(({ id }) => id);
    const charts = ids.length === 0 ? [] : await readMonitorCharts(deps, actor.workspace.workspaceId, ids);
    return { monitors: items, total, charts };
  };
  const readGrouped = async () => {
    const { data: by } = groupingText.safeParse(groupedBy);
    if (by === undefined) return null;
    return { by, ...(await countMonitorGroups(deps.overview, actor, by, { limit: FIRST_SCREEN.groups, offset: 0 })) };
  };
  const [overview, groups, monitors] = await Promise.all([
    readOverview(deps.overview, actor),
    readGrouped(),
    readList(),
  ]);
  return { overview, groups, monitors };
}
