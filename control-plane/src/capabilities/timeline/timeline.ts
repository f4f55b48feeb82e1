import type { Tx } from '../../platform/db/database.js';
import type { TimelineEntry, TimelineRow } from './timeline-event.js';
import { timelineStore } from './timeline-store.js';

/** The most events that a timeline shows: the newest. */
const LIMIT = 500;

/** Records on the timelines of incidents what happened, for example who was notified. Entries of erased incidents are dropped. */
export function addTimelineEntries(tx: Tx, entries: readonly TimelineEntry[]): Promise<void> {
  return timelineStore.add(tx, entries);
}

/** Returns the newest events of an incident, oldest first. */
export function readTimeline(tx: Tx, workspaceId: string, incidentId: string): Promise<TimelineRow[]> {
  return timelineStore.newest(workspaceId, tx, incidentId, LIMIT);
}
