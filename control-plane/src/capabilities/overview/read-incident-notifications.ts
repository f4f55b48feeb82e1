import type { Actor } from '../../platform/identity/caller.js';
import { readNotified, type Notified } from '../paging/index.js';
import { getIncident } from '../incidents/index.js';
import type { OverviewDeps } from './overview-deps.js';
import type { Attention, IncidentNotifications } from './overview-schemas.js';

/** Who has been notified of an incident, and when the next person is. @throws Fault not_found */
export async function readIncidentNotifications(
  deps: OverviewDeps,
  actor: Actor,
  incidentId: string,
): Promise<IncidentNotifications> {
  await getIncident(deps, actor, incidentId);
  const { workspaceId } = actor.workspace;
  const notifiedOf = await deps.db.read((tx) => readNotified(tx, workspaceId, [incidentId], deps.clock.now()));
  return { incidentId, ...describeNotified(notifiedOf(incidentId)) };
}

export function describeNotified({
  people,
  groups,
  failedDeliveries,
  nextEscalationAt,
}: Notified): Pick<Attention, 'notified' | 'groupsNotified' | 'failedDeliveries' | 'nextEscalationAt'> {
  return {
    notified: people.map(({ at, ...person }) => ({ ...person, at: at.toISOString() })),
    groupsNotified: groups.map(({ at, ...group }) => ({ ...group, at: at.toISOString() })),
    failedDeliveries,
    nextEscalationAt: nextEscalationAt?.toISOString() ?? null,
  };
}
