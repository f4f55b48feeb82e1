import type { TimelineRow } from '../timeline/index.js';
import type { IncidentRow } from './incident-store.js';
import type { DependentRow } from './dependent-store.js';
import type { NoteRow } from './incident-note-store.js';
import { lengthText } from '../../platform/pages/moment-text.js';

export function describeIncidentSummary(row: Omit<IncidentRow, 'context'>, nowMs: number) {
  const endMs = row.ended?.getTime() ?? nowMs;
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    monitorId: row.monitorId,
    monitorName: row.monitorName,
    incidentType: row.incidentType,
    status: row.status,
    isClosed: row.isClosed,
    severity: row.severity,
    worstSeverity: row.worstSeverity,
    regions: row.regions,
    acknowledged: row.acknowledged,
    started: row.started.toISOString(),
    ended: row.ended?.toISOString() ?? null,
    durationFormatted: lengthText(endMs - row.started.getTime(), 'second'),
    failureReason: row.failureReason,
    dependentCount: row.dependentCount,
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}

export function describeNote(row: NoteRow) {
  return {
    id: row.id,
    note: row.note,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    lastModified: row.lastModified.toISOString(),
    modifiedBy: row.modifiedBy,
  };
}

function describeDependent({ failed, ended, ...row }: DependentRow) {
  return { ...row, failed: failed.toISOString(), ended: ended?.toISOString() ?? null };
}

export function describeIncident(
  row: IncidentRow,
  dependents: readonly DependentRow[],
  notes: readonly NoteRow[],
  timeline: readonly TimelineRow[],
  nowMs: number,
) {
  return {
    ...describeIncidentSummary(row, nowMs),
    acknowledgedAt: row.acknowledgedAt?.toISOString() ?? null,
    acknowledgedBy: row.acknowledgedBy,
    closedBy: row.closedBy,
    context: row.context,
    dependents: dependents.map(describeDependent),
    notes: notes.map(describeNote),
    timeline: timeline.map((event) => ({ ...event, at: event.at.toISOString() })),
  };
}

export type IncidentSummaryView = ReturnType<typeof describeIncidentSummary>;
export type IncidentView = ReturnType<typeof describeIncident>;
export type NoteView = ReturnType<typeof describeNote>;

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
}: IncidentView): Omit<IncidentView, 'durationFormatted'> {
  return { ...steady, timeline: timeline.filter(({ type }) => !NOTIFICATION_EVENTS.has(type)) };
}
