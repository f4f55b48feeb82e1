import type { Tx } from '../../platform/db/database.js';
import type { IncidentEventInput } from './incident-commands.js';
import { verdictIncidentStore } from './verdict-incident-store.js';

/** Something that the service itself did about an incident, open or closed. */
export interface TimelineEntry {
  workspaceId: string;
  incidentId: string;
  event: IncidentEventInput;
}

/** Tells on the timelines of incidents what was done about them: who was notified, who was not. Of one that is gone, nothing. */
export async function tellTimelines(tx: Tx, entries: readonly TimelineEntry[]): Promise<void> {
  await verdictIncidentStore.addEvents(tx, entries);
}
