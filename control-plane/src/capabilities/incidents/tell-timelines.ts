import type { Tx } from '../../platform/db/database.js';
import type { IncidentEventInput } from './incident-commands.js';
import { verdictIncidentStore } from './verdict-incident-store.js';

/** Something that the service did about an incident, open or closed. */
export interface TimelineEntry {
  workspaceId: string;
  incidentId: string;
  event: IncidentEventInput;
}

/** Records on timelines what the service did, for example whom it notified. Entries of erased incidents are dropped. */
export async function addTimelineEntries(tx: Tx, entries: readonly TimelineEntry[]): Promise<void> {
  await verdictIncidentStore.addEvents(tx, entries);
}
