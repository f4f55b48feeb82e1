export const TIMELINE_EVENT_TYPES = [
  'opened',
  'region_failed',
  'region_recovered',
  'severity_changed',
  'acknowledged',
  'unacknowledged',
  'ack_expired',
  'status_changed',
  'note_added',
  'notified',
  'notification_failed',
  'paged',
  'dependent_failed',
  'recovered',
  'closed',
] as const;
export type TimelineEventType = (typeof TIMELINE_EVENT_TYPES)[number];

/** An event on the timeline of an incident. `atMs` is when it happened, ms since the epoch. */
export interface TimelineEvent {
  type: TimelineEventType;
  atMs: number;
  detail: Record<string, unknown>;
  /** The person who caused it; without one it was the service. */
  actorId?: string;
}

/** Something that happened to an incident, open or closed, or that was done about it. */
export interface TimelineEntry {
  workspaceId: string;
  incidentId: string;
  event: TimelineEvent;
}

export interface TimelineRow {
  at: Date;
  type: TimelineEventType;
  actor: string | null;
  detail: Record<string, unknown>;
}
