import { lengthText } from '@watchpost/shared/design/texts';
import { viewOf } from '../../platform/http/view-of.js';
import type { TimelineRow } from '../timeline/index.js';
import type { DependentRow } from './dependent-store.js';
import type { NoteRow } from './incident-note-store.js';
import {
  dependentSchema,
  type Incident,
  type IncidentNote,
  incidentNoteSchema,
  incidentSchema,
  type IncidentSummary,
  incidentSummarySchema,
} from './incident-schemas.js';
import type { IncidentRow } from './incident-store.js';

export function describeIncidentSummary(row: Omit<IncidentRow, 'context'>, nowMs: number): IncidentSummary {
  const lastedMs = (row.ended?.getTime() ?? nowMs) - row.started.getTime();
  return viewOf(incidentSummarySchema, { ...row, durationFormatted: lengthText(lastedMs, 'second') });
}

export function describeNote(row: NoteRow): IncidentNote {
  return viewOf(incidentNoteSchema, row);
}

export function describeIncident(
  row: IncidentRow,
  dependents: readonly DependentRow[],
  notes: readonly NoteRow[],
  timeline: readonly TimelineRow[],
  nowMs: number,
): Incident {
  return viewOf(incidentSchema, {
    ...row,
    ...describeIncidentSummary(row, nowMs),
    dependents: dependents.map((dependent) => viewOf(dependentSchema, dependent)),
    notes: notes.map(describeNote),
    timeline: timeline.map((event) => ({ ...event, at: event.at.toISOString() })),
  });
}

/** Events that the service records without a change of the incident. */
const NOTIFICATION_EVENTS = new Set(['notified', 'notification_failed', 'paged']);

/**
 * The part of an incident that its ETag covers: neither durations, which change every second, nor the notifications
 * sent. So an incident that was read just after it opened can be acknowledged while its notifications go out.
 */
export function steadyPart({
  durationFormatted: _,
  timeline,
  ...steady
}: Incident): Omit<Incident, 'durationFormatted'> {
  return { ...steady, timeline: timeline.filter(({ type }) => !NOTIFICATION_EVENTS.has(type)) };
}
