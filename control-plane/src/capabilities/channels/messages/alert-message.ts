import type { IncidentType } from '@watchpost/shared/incident-types';
import type { NotifiedEventType } from '../alert-event.js';

export interface MonitorSummary {
  id: string;
  name: string;
  /** Null for a heartbeat. */
  url: string | null;
  monitorTypes: string[];
}

/** An incident in a message; times are in the form that PostgreSQL writes in JSON. */
export interface IncidentSummary {
  id: string;
  workspaceId: string;
  monitorId: string;
  monitorName: string;
  incidentType: IncidentType;
  status: string;
  isClosed: boolean;
  severity: 'down' | 'partial' | 'warning';
  /** Absent in events of versions that did not record it. */
  worstSeverity?: 'down' | 'partial' | 'warning';
  regions: string[];
  acknowledged: boolean;
  /** Who acknowledged it; absent in samples and where nobody did. */
  acknowledgedByName?: string | null;
  started: string;
  ended: string | null;
  failureReason: string;
  /** How many failures of other monitors it explains; absent in events of versions that did not record it. */
  dependentCount?: number;
  created: string;
  lastModified: string;
}

export interface EventSubject {
  workspaceName: string;
  monitor: MonitorSummary | null;
  incident: IncidentSummary | null;
  /** The name of the person who caused the event. */
  person: string | null;
}

export interface NotifiedEvent {
  id: string;
  workspaceId: string;
  type: NotifiedEventType;
  atMs: number;
  detail: Record<string, unknown>;
  subject: EventSubject;
}

export interface MessageExtra {
  /** A link with which the reader acknowledges the incident, for this destination only; under BASE_URL. */
  acknowledgeUrl?: string;
  /** A link with which the reader acknowledges all incidents of a message that contains several. */
  acknowledgeAllUrl?: string;
  /** Why this destination is notified, as a sentence: "You are on call." */
  why?: string;
  /** The code with which the user of a number agrees to alerts. */
  code?: string;
}

export interface Notification {
  event: NotifiedEvent;
  extra: MessageExtra;
}

/** A message to people, for any channel. Text is not escaped: each channel does that. */
export interface AlertMessage {
  tone: 'bad' | 'warning' | 'good' | 'info';
  /** One line: what happened to what. */
  title: string;
  /** What happened, since when, and what was observed. */
  sentences: string[];
  facts: { name: string; value: string }[];
  /** Under BASE_URL. */
  links: { label: string; url: string }[];
  /** The incident that the button of the message acknowledges, where it has one. */
  button?: string;
  /** The id of the incident that the message belongs to, or null. */
  thread: string | null;
  /** Whether the template of the group made title and sentences. */
  byTemplate?: true;
  /** The incidents beside `thread` that a joint message describes. */
  otherThreads?: string[];
  /** True for the first message of its thread. */
  startsThread: boolean;
  /** What a joint message describes, one by one. */
  items?: MessageItem[];
}

export type MessageItem = Pick<AlertMessage, 'title' | 'sentences' | 'links'>;
