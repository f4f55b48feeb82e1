/** What an event is about. `maintenance` is reserved. */
export const EVENT_KINDS = [
  'monitor',
  'incident',
  'maintenance',
  'fleet',
  'delivery',
  'member',
  'invitation',
  'apiKey',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** That an object changed, never how: who sees the event reads the object. */
export interface WorkspaceEvent {
  kind: EventKind;
  /** Of the object; for `fleet` the name of the region, or the id of the private location. */
  id: string;
  /** Greater with each change of the object. */
  version: number;
}

/** Notified when events commit. */
export const EVENT_CHANNEL = 'watchpost_workspace_event';
/** For how long a client can resume after the last event that it has seen. */
export const RESUME_MS = 5 * 60_000;
