import { laterThan } from '@watchpost/shared/clock';
import { notFound, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../audit/index.js';
import { viewOf } from '../../platform/http/view-of.js';
import { type ListPage, mapPage, type Rows, type Tx } from '../../platform/db/tx.js';
import type { Actor } from '../../platform/identity/caller.js';
import {
  type Entitlements,
  lockWorkspaceEntitlements,
  requireWithinLimit,
  workspaceEntitlements,
} from '../plans/index.js';
import { decideTeamCoverage } from './decide-team-coverage.js';
import type { OnCallDeps, TeamDeps } from './on-call-deps.js';
import { type Team, type TeamCreate, type TeamPatch, teamSchema } from './team-schemas.js';
import { shiftReminderStore } from './shift-reminder-store.js';
import { type TeamRow, teamStore, type TeamWithMembers } from './team-store.js';

/** Teams of the workspace, newest first. */
export async function listTeams(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  page: Rows,
): Promise<ListPage<Team>> {
  return deps.db.read(async (tx) => {
    const entitlements = await workspaceEntitlements(tx, workspaceId);
    return mapPage(await teamStore.page(workspaceId, tx, page), (row) => describeTeam(workspaceId, row, entitlements));
  });
}

/** @throws Fault `not_found` */
export async function getTeam(deps: OnCallDeps, { workspace: { workspaceId } }: Actor, id: string): Promise<Team> {
  return deps.db.read((tx) => readTeam(tx, workspaceId, id));
}

/**
 * Creates a team without members. The owner's account is locked while its teams are counted.
 * @throws Fault `plan_limit_exceeded`
 */
export async function createTeam(deps: OnCallDeps, actor: Actor, input: TeamCreate, id?: string): Promise<Team> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const entitlements = await lockWorkspaceEntitlements(tx, workspaceId);
    const ownerRank = (await teamStore.countOfOwner(entitlements.ownerId, tx)) + 1;
    requireWithinLimit(entitlements, 'teams', ownerRank);
    // Read after taking the lock, so that creation times follow the order of the lock.
    const nowMs = deps.clock.now();
    const now = new Date(nowMs);
    const row: TeamRow = { id: id ?? newId(nowMs), ...input, created: now, lastModified: now };
    await teamStore.insert(workspaceId, tx, row);
    await recordAudit(deps, tx, actor, { action: 'team.created', target: row, after: auditedTeam(row) });
    return describeTeam(workspaceId, { ...row, ownerRank, members: [], managedBy: null }, entitlements);
  });
}

/** Changes the name or description of a team. @throws Fault `not_found`, `precondition_failed` */
export async function updateTeam(deps: OnCallDeps, actor: Actor, id: string, patch: TeamPatch): Promise<Team> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const row = await lockTeam(tx, workspaceId, id);
    const before = await readTeam(tx, workspaceId, id);
    actor.checkPrecondition?.(before);
    const { name = row.name, description = row.description } = patch;
    if (name === row.name && description === row.description) return before;
    const lastModified = laterThan(row.lastModified, deps.clock.now());
    await teamStore.update(workspaceId, tx, { ...row, name, description, lastModified });
    await recordAudit(deps, tx, actor, {
      action: 'team.updated',
      target: { id, name },
      before: auditedTeam(row),
      after: { name, description },
    });
    return readTeam(tx, workspaceId, id);
  });
}

/** Deletes a team with its schedule, overrides and routing. @throws Fault `not_found`, `precondition_failed` */
export async function deleteTeam(deps: TeamDeps, actor: Actor, id: string): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId, id);
    const team = await readTeam(tx, workspaceId, id);
    actor.checkPrecondition?.(team);
    await deps.paging.goes(tx, workspaceId, team);
    await teamStore.remove(workspaceId, tx, id);
    await recordAudit(deps, tx, actor, {
      action: 'team.deleted',
      target: team,
      before: {
        ...auditedTeam(team),
        members: Object.fromEntries(team.members.map((one) => [one.userId, one.teamRole])),
      },
    });
  });
}

/** Locks a team for a change until the transaction ends. @throws Fault `not_found` */
export async function lockTeam(tx: Tx, workspaceId: string, id: string): Promise<TeamRow> {
  const row = found(await teamStore.lock(workspaceId, tx, id), 'team');
  await shiftReminderStore.reconsider(workspaceId, tx, id);
  return row;
}

/** @throws Fault `not_found` */
export async function requireTeam(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if (!(await teamStore.exists(workspaceId, tx, id))) throw notFound('team');
}

/** For the audit log: without the members, whose changes have entries of their own. */
function auditedTeam({ name, description }: Pick<TeamRow, 'name' | 'description'>): object {
  return { name, description };
}

async function readTeam(tx: Tx, workspaceId: string, id: string): Promise<Team> {
  const row = found(await teamStore.find(workspaceId, tx, id), 'team');
  return describeTeam(workspaceId, row, await workspaceEntitlements(tx, workspaceId));
}

function describeTeam(workspaceId: string, row: TeamWithMembers, entitlements: Entitlements): Team {
  const planRestricted = decideTeamCoverage(entitlements, row).isBeyondLimit;
  return viewOf(teamSchema, { ...row, workspaceId, planRestricted });
}
