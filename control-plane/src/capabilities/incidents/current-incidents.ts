import type { Tx } from '../../platform/db/database.js';
import type { CurrentIncident } from './incident-commands.js';
import { verdictIncidentStore } from './verdict-incident-store.js';

/** The newest incident of each of these monitors and incident types, open or closed. */
export function currentIncidents(tx: Tx, monitorKeys: readonly number[]): Promise<CurrentIncident[]> {
  return verdictIncidentStore.current(tx, monitorKeys);
}
