import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import type { SecretBox } from '../../platform/db/secret-box.js';
import type { Database } from '../../platform/db/database.js';
import type { Caller, Via, WorkspaceAccess } from '../../platform/identity/caller.js';
import { listMonitors, MONITOR_FORM } from '../monitors/index.js';
import { readEventId } from '../events/index.js';
import { type OverviewDeps, readOverview } from '../overview/index.js';
import { readMonitorCharts } from '../figures/index.js';
import { readUser } from '../users/index.js';
import { listWorkspaces, resolveWorkspace } from '../workspaces/index.js';
import type { FirstDocument } from './first-document-schemas.js';

/** Of more workspaces the oldest are left out; the console finds them by REST. */
const MAX_WORKSPACES = 200;
/** Monitors of the overview, as many as `GET /api/v1/monitor?sort=health&pageSize=50` answers. */
const FIRST_MONITORS = 50;

export interface FirstDocumentDeps {
  db: Database;
  clock: Clock;
  version: string;
  overview: OverviewDeps;
  mayCreateWorkspaces: boolean;
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
}

/** @returns undefined for a path that the console does not have */
export function decideConsolePlace(path: string): ConsolePlace | undefined {
  if (/^\/console\/?$/.test(path)) return { workspaceId: null, isOverview: true };
  if (/^\/console\/invitations\/[^/]+$/.test(path)) return { workspaceId: null, isOverview: false };
  const [, workspaceId, rest] = /^\/console\/w\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (workspaceId === undefined) return undefined;
  return { workspaceId, isOverview: rest === undefined || rest === '/' };
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
  sessionEndsAtMs: number,
): Promise<FirstDocument> {
  const [workspace, eventId] = await Promise.all([
    findWorkspace(deps, caller, place.workspaceId),
    readEventId(deps.db),
  ]);
  const [user, workspaces] = await Promise.all([
    readUser(deps, caller.userId),
    listWorkspaces(deps, caller, { limit: MAX_WORKSPACES, offset: 0 }),
  ]);
  const first = workspace && place.isOverview ? await readFirstScreen(deps, { caller, workspace, via }) : null;
  return {
    version: deps.version,
    user: { id: user.id, name: user.name ?? user.email ?? 'You', email: user.email },
    workspaces: workspaces.items.map(({ id, name, role, plan }) => ({ id, name, role, plan })),
    workspaceId: workspace?.workspaceId ?? null,
    mayCreateWorkspaces: deps.mayCreateWorkspaces,
    roleClaim: deps.roleClaim,
    eventId,
    sessionEndsAt: new Date(sessionEndsAtMs).toISOString(),
    serverTime: new Date(deps.clock.now()).toISOString(),
    overview: first?.overview ?? null,
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
): Promise<Pick<FirstDocument, 'overview' | 'monitors'>> {
  const readList = async () => {
    const { items, total } = await listMonitors(deps, actor, {}, { limit: FIRST_MONITORS, offset: 0 }, 'health');
    const ids = items.map(({ id }) => id);
    const charts = ids.length === 0 ? [] : await readMonitorCharts(deps, actor.workspace.workspaceId, ids);
    return { monitors: items, total, charts };
  };
  const [overview, monitors] = await Promise.all([readOverview(deps.overview, actor), readList()]);
  return { overview, monitors };
}
