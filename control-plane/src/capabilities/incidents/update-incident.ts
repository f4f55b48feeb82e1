import { addTimelineEntries, type TimelineEvent } from '../timeline/index.js';
import { found } from '@watchpost/shared/fault';
import { acknowledgements, publishEvents } from '../paging/index.js';
import { type AuditedChange, recordAudit } from '../audit/index.js';
import type { ActingOutsider, ActingPerson } from '../../platform/identity/caller.js';
import { alertsOfChange, type ChangeCause } from './decide-incident-alerts.js';
import { decideIncidentChange, entriesBy } from './decide-incident-change.js';
import { steadyPart } from './describe-incident.js';
import type { Incident } from './incident-schemas.js';
import type { IncidentPatch } from './incident-schemas.js';
import { type IncidentRow, incidentStore } from './incident-store.js';
import { type IncidentDeps, readIncident } from './read-incidents.js';

/**
 * Acknowledges, takes an acknowledgement back, changes the status, or closes (`status: Resolved`).
 * The row is locked first, so that the second of two concurrent closes is refused.
 * @throws Fault not_found, incident_closed, precondition_failed
 */
export async function updateIncident(
  deps: IncidentDeps,
  actor: ActingPerson | ActingOutsider,
  id: string,
  patch: IncidentPatch,
): Promise<Incident> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const row = found(await incidentStore.find(workspaceId, tx, id, 'FOR UPDATE'), 'incident');
    actor.checkPrecondition?.(steadyPart(await readIncident(deps, tx, workspaceId, id)));
    const userId = 'caller' in actor ? actor.caller.userId : null;
    const isAwaited =
      row.acknowledged && userId !== null && (await acknowledgements.isAwaited(tx, workspaceId, id, userId));
    const change = decideIncidentChange(row, patch, userId, deps.clock.now(), isAwaited);
    if (change.events.length > 0) {
      await incidentStore.save(workspaceId, tx, change.row);
      await addTimelineEntries(tx, entriesBy(actor, id, change.events));
      const monitorKey = await incidentStore.monitorKey(workspaceId, tx, id);
      const subject = { workspaceId, monitorKey, incidentId: id };
      await publishEvents(deps, tx, alertsOfChange(subject, byWhom(actor), change.events));
      await recordAudit(deps, tx, actor, {
        workspaceId,
        action: actionOf(change.events),
        target: { id, name: row.monitorName },
        before: auditedFields(row),
        after: auditedFields(change.row),
      });
    }
    return readIncident(deps, tx, workspaceId, id);
  });
}

/** Who caused an event, in its detail. */
function byWhom(actor: ActingPerson | ActingOutsider): ChangeCause {
  if ('caller' in actor) return { actorId: actor.caller.userId };
  return { person: actor.outsider.name, exceptGroupId: actor.outsider.groupId };
}

/** The audit action of a change that may have several events: that of the most final one. */
function actionOf(events: readonly TimelineEvent[]): AuditedChange['action'] {
  const types = new Set(events.map(({ type }) => type));
  if (types.has('closed')) return 'incident.closed';
  if (types.has('acknowledged')) return 'incident.acknowledged';
  return types.has('unacknowledged') ? 'incident.unacknowledged' : 'incident.updated';
}

/** The fields that this verb changes, for the audit log. */
function auditedFields({ status, isClosed, acknowledged, acknowledgedBy, closedBy }: IncidentRow): object {
  return { status, isClosed, acknowledged, acknowledgedBy, closedBy };
}
