import { notFound } from '@watchpost/shared/fault';
import type { ListPage, Rows } from '../../platform/db/database.js';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockTargets } from '../monitors/index.js';
import type { OnCallDeps, TeamDeps } from './on-call-deps.js';
import { type RoutedGroup, routingStore } from './routing-store.js';
import { lockTeam, requireTeam } from './teams.js';

export interface Routing {
  serviceGroupId: string;
  teamId: string;
}

/** Service groups whose incidents page the team, the latest routed first. @throws Fault `not_found` */
export async function listRoutedGroups(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  teamId: string,
  page: Rows,
): Promise<ListPage<RoutedGroup>> {
  return deps.db.read(async (tx) => {
    await requireTeam(tx, workspaceId, teamId);
    return routingStore.page(workspaceId, tx, teamId, page);
  });
}

/**
 * Makes the incidents of a service group page the person on call of the team. A group can page several teams.
 * @throws Fault `not_found`, `precondition_failed`
 */
export async function routeServiceGroup(
  deps: TeamDeps,
  actor: Actor,
  { id: teamId, serviceGroupId }: { id: string; serviceGroupId: string },
): Promise<Routing> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const team = await lockTeam(tx, workspaceId, teamId);
    await lockTargets(tx, workspaceId, { monitorIds: [], serviceGroupIds: [serviceGroupId] });
    const routing = { serviceGroupId, teamId };
    const isRouted = await routingStore.isRouted(workspaceId, tx, teamId, serviceGroupId);
    actor.checkPrecondition?.(isRouted ? routing : undefined);
    if (isRouted) return routing;
    await routingStore.insert(workspaceId, tx, teamId, serviceGroupId, new Date(deps.clock.now()));
    await deps.paging.routed(tx, workspaceId, serviceGroupId);
    await recordAudit(deps, tx, actor, { action: 'team.group_routed', target: team, after: { serviceGroupId } });
    return routing;
  });
}

/** @throws Fault `not_found`, `precondition_failed` */
export async function unrouteServiceGroup(
  deps: TeamDeps,
  actor: Actor,
  { id: teamId, serviceGroupId }: { id: string; serviceGroupId: string },
): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const team = await lockTeam(tx, workspaceId, teamId);
    if (!(await routingStore.isRouted(workspaceId, tx, teamId, serviceGroupId))) throw notFound('routing');
    actor.checkPrecondition?.({ serviceGroupId, teamId });
    await routingStore.remove(workspaceId, tx, teamId, serviceGroupId);
    await deps.paging.routed(tx, workspaceId, serviceGroupId);
    await recordAudit(deps, tx, actor, { action: 'team.group_unrouted', target: team, before: { serviceGroupId } });
  });
}
