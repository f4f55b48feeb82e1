import type { AlertEventType } from '../alert-event.js';

/** A monitor as messages show it. */
export interface MonitorSummary {
  id: string;
  name: string;
  url: string;
  monitorTypes: string[];
}

/** An incident as messages show it; times as the database writes them in JSON. */
export interface IncidentSummary {
  id: string;
  workspaceId: string;
  monitorId: string;
  monitorName: string;
  incidentType: 'Availability' | 'SslExpiry' | 'Latency' | 'Dns';
  status: string;
  isClosed: boolean;
  severity: 'down' | 'partial' | 'warning';
  regions: string[];
  acknowledged: boolean;
  started: string;
  ended: string | null;
  failureReason: string;
  created: string;
  lastModified: string;
}

/** What an event is about, as it was when it happened. */
export interface EventSubject {
  workspaceName: string;
  monitor: MonitorSummary | null;
  incident: IncidentSummary | null;
  /** Who did it, by name. */
  person: string | null;
}

/** An event on its way to whoever is to hear of it. */
export interface NotifiedEvent {
  id: string;
  workspaceId: string;
  type: AlertEventType | 'test' | 'confirmation';
  atMs: number;
  detail: Record<string, unknown>;
  subject: EventSubject;
}

/** What one destination is told beyond the event. */
export interface MessageExtra {
  /** Acknowledges with one click, for this destination alone; under BASE_URL. */
  acknowledgeUrl?: string;
  /** Why this one is told, as a sentence: "You are on call." */
  why?: string;
  /** With which the owner of a number agrees to alerts. */
  code?: string;
}

/** What is said to people, whatever the channel. Text is as its authors wrote it: each channel escapes it. */
export interface AlertMessage {
  tone: 'bad' | 'warning' | 'good' | 'info';
  /** One line: what happened to what. */
  title: string;
  /** What happened, since when, and what was seen. */
  sentences: string[];
  facts: { name: string; value: string }[];
  /** Under BASE_URL. */
  links: { label: string; url: string }[];
  /** What belongs together: an incident, else null. */
  thread: string | null;
  /** True for the message that its thread begins with. */
  startsThread: boolean;
}
