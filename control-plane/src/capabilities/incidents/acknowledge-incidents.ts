import { Fault } from '@watchpost/shared/fault';
import type { ActingPerson } from '../../platform/identity/caller.js';
import { incidentClosed } from './decide-incident-change.js';
import type { IncidentDeps } from './read-incidents.js';
import { updateIncident } from './update-incident.js';

/** Incidents that are changed at once: each waits for its row where a verdict changes it. */
const AT_ONCE = 4;

/**
 * Acknowledges the incidents that are still open, each in a transaction of its own, so that a repeated request completes an
 * interrupted one.
 * @throws Fault incident_closed where none is open
 */
export async function acknowledgeIncidents(
  deps: IncidentDeps,
  actor: ActingPerson,
  ids: readonly string[],
): Promise<void> {
  const left = [...ids];
  let open = 0;
  const acknowledgeNext = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) if (await acknowledge(deps, actor, id)) open++;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, acknowledgeNext));
  if (open === 0) throw incidentClosed();
}

/** @returns whether it exists and is open */
async function acknowledge(deps: IncidentDeps, actor: ActingPerson, id: string): Promise<boolean> {
  try {
    await updateIncident(deps, actor, id, { acknowledged: true });
    return true;
  } catch (error) {
    if (error instanceof Fault && (error.code === 'incident_closed' || error.code === 'not_found')) return false;
    throw error;
  }
}
