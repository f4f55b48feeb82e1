import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import { type Role, roleAllows, type Via } from '../../../platform/identity/caller.js';
import type { IncidentDeps } from '../read-incidents.js';
import { updateIncident } from '../update-incident.js';

/** A member who answers a message. */
export interface Answering {
  workspaceId: string;
  userId: string;
  role: Role;
}

const GONE = 'The incident does not exist any more.';

/** Why a member may not answer messages; null where the member may. */
export function whyNotAllowed({ role }: Answering): string | null {
  if (roleAllows(role, 'Responder')) return null;
  return `Nothing was changed: acknowledging needs the role Responder, and yours in this workspace is ${role}.`;
}

/** Acknowledges an incident as a member who answers a message. @returns a sentence about what became of it */
export async function acknowledgeAs(
  deps: IncidentDeps,
  member: Answering,
  incidentId: string,
  via: Via,
): Promise<string> {
  const { workspaceId, userId } = member;
  const why = whyNotAllowed(member);
  if (why !== null) return why;
  if (!isUuid(incidentId)) return GONE;
  const person = { caller: { userId }, workspace: { workspaceId }, via };
  try {
    const { monitorName, acknowledgedBy } = await updateIncident(deps, person, incidentId, { acknowledged: true });
    if (acknowledgedBy !== userId) return `Somebody else acknowledged the incident of ${monitorName} before.`;
    return `You acknowledged the incident of ${monitorName}. Nobody else is paged for it.`;
  } catch (error) {
    if (error instanceof Fault && error.code === 'incident_closed')
      return 'The incident is closed. Nothing is left to do.';
    if (error instanceof Fault && error.code === 'not_found') return GONE;
    throw error;
  }
}
