import { cleanLine } from '@watchpost/shared/clean-line';
import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import type { Via } from '../../../platform/identity/caller.js';
import { channelOf } from '../../channels/index.js';
import type { IncidentDeps } from '../read-incidents.js';
import { updateIncident } from '../update-incident.js';
import { answerCallOnce, type CallDeps, type IncomingCall, requireCalledGroup } from './answer-call.js';

const MAX_NAME = 100;

/**
 * Takes a call of a service about what a person did there: that is so here too, and everybody is notified of it but the
 * group. A call about something else, or about an incident that is closed or of another workspace, changes nothing.
 * @throws Fault invalid_token, rate_limited
 */
export async function takeServiceEvent(deps: CallDeps & IncidentDeps, call: IncomingCall, via: Via): Promise<object> {
  const group = await requireCalledGroup(deps, 'events', call);
  const { title, events } = channelOf(group.type);
  const event = events!.read(call.body);
  if (!event || !isUuid(event.incidentId)) return {};
  const { workspaceId, id: groupId } = group;
  const outsider = { name: cleanLine(event.person, MAX_NAME), groupId };
  const actor = { outsider, workspace: { workspaceId }, via: { ...via, channel: 'service' as const, client: title } };
  const patch = event.change === 'acknowledged' ? { acknowledged: true } : { status: 'Resolved' as const };
  return answerCallOnce(deps, group, call.body, async () => {
    try {
      await updateIncident(deps, actor, event.incidentId, patch);
    } catch (error) {
      if (!(error instanceof Fault) || (error.code !== 'incident_closed' && error.code !== 'not_found')) throw error;
    }
    return {};
  });
}
