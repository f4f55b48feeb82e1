import type { Clock } from '@watchpost/shared/clock';
import { type ListPage, mapPage, type Rows, type Transactions, type Tx } from '../../../platform/db/tx.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { channelOf } from '../../channels/index.js';
import { readWorkspaceOnCall, type TeamDutyState } from '../../on-call/index.js';
import { workspaceEntitlements } from '../../plans/index.js';
import { policyFor } from '../decide-escalation.js';
import { hears } from '../pageable-groups.js';
import type { UnheardMonitor } from './preview-schemas.js';
import { type ReachDeps, readReachable } from '../read-reachable.js';
import { reachStore, type GroupReach, type UnheardUse } from '../reach-store.js';

/** What prevents notifications in a workspace. */
export interface ReachTroubles {
  /** Monitors of which an incident would be notified to nobody: how many, and the names of a few. */
  unheard: { count: number; names: string[] };
  /** Recipients of enabled groups that have not confirmed, and therefore receive nothing. */
  unconfirmed: number;
  /** Enabled groups that send SMS where this installation cannot. */
  groupsWithoutSms: number;
}

/**
 * Finds what prevents notifications, by the rules of `previewAlerts`, of all monitors of a workspace at once. Five statements
 * at most, whatever their number.
 */
export async function findReachTroubles(
  deps: ReachDeps,
  tx: Tx,
  workspaceId: string,
  teams: readonly TeamDutyState[],
): Promise<ReachTroubles> {
  const groups = await reachStore.groups(workspaceId, tx, deps.recipientVerification === 'always');
  const { hearing, paging } = await findWhoHears(deps, tx, workspaceId, { groups, teams });
  const enabled = groups.filter(({ isEnabled }) => isEnabled);
  return {
    unheard: await reachStore.unheard(workspaceId, tx, hearing, paging),
    unconfirmed: enabled.reduce((total, { pending }) => total + pending, 0),
    groupsWithoutSms: deps.hasSms ? 0 : enabled.filter(({ type }) => channelOf(type).outlet === 'sms').length,
  };
}

/** The groups that would be notified of an incident now, and the teams of which somebody would be paged. */
async function findWhoHears(
  deps: ReachDeps,
  tx: Tx,
  workspaceId: string,
  { groups, teams }: { groups: readonly GroupReach[]; teams: readonly TeamDutyState[] },
): Promise<{ hearing: string[]; paging: string[] }> {
  const hearing = groups.filter((group) => hears(group, deps)).map(({ id }) => id);
  return { hearing, paging: await pagingTeams(deps, tx, workspaceId, teams, hearing) };
}

/**
 * Lists the monitors of which an incident that opened now would be notified to nobody, by name, with the reason. The number
 * of statements does not depend on that of monitors.
 */
export async function listUnheardMonitors(
  deps: ReachDeps & { db: Transactions; clock: Clock },
  actor: Actor,
  page: Rows,
): Promise<ListPage<UnheardMonitor>> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    const nowMs = deps.clock.now();
    const entitlements = await workspaceEntitlements(tx, workspaceId);
    const teams = await readWorkspaceOnCall(tx, workspaceId, entitlements, nowMs, nowMs);
    const groups = await reachStore.groups(workspaceId, tx, deps.recipientVerification === 'always');
    const { hearing, paging } = await findWhoHears(deps, tx, workspaceId, { groups, teams });
    return mapPage(
      await reachStore.listUnheard(workspaceId, tx, { groupIds: hearing, teamIds: paging }, page),
      ({ monitorId, name, ...use }) => ({ monitorId, name, why: whyUnheard(use) }),
    );
  });
}

function whyUnheard({ groups, serviceGroupName, teams }: UnheardUse): string {
  const byGroups =
    groups === 0
      ? 'No channel is attached'
      : groups === 1
        ? 'Its channel notifies nobody now'
        : `None of its ${groups} channels notifies anybody now`;
  const byTeams =
    teams > 0
      ? 'nobody of its team can be paged now'
      : serviceGroupName === null
        ? 'it is in no service group and has no team, so no team is paged'
        : `its service group "${serviceGroupName}" is routed to no team`;
  return `${byGroups}, and ${byTeams}.`;
}

/** The teams of which somebody can be reached, or a group that hears. */
async function pagingTeams(
  deps: ReachDeps,
  tx: Tx,
  workspaceId: string,
  teams: readonly TeamDutyState[],
  hearing: readonly string[],
): Promise<string[]> {
  const targetsOf = ({ policies }: TeamDutyState) =>
    policyFor(policies, 'down').steps.flatMap(({ targets }) => targets);
  const idsOf = (team: TeamDutyState) => targetsOf(team).flatMap(team.peopleOf);
  const members = await readReachable(deps, tx, workspaceId, [...new Set(teams.flatMap(idsOf))]);
  const reachable = new Set(members.flatMap(({ person, points }) => (points.length > 0 ? [person.userId] : [])));
  return teams
    .filter(
      (team) =>
        idsOf(team).some((userId) => reachable.has(userId)) ||
        targetsOf(team).some((target) => target.type === 'actionGroup' && hearing.includes(target.id)),
    )
    .map(({ teamId }) => teamId);
}
