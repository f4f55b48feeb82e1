import type { Dispatcher } from 'undici';
import type { EvidenceChannel } from '../evidence/evidence-link-store.js';
import type { Mailer } from './mailer.js';
import type { SmsProvider } from './sms-provider.js';

/** The ways out of this installation. */
export interface Channels {
  mailer: Mailer;
  sms: SmsProvider;
  /** For URLs that users name: it connects only where the egress policy lets it. */
  outbound: Dispatcher;
  /** Where callers reach the service, without a slash at the end: all links lead there. */
  baseUrl: string;
  /** Where messages of a channel show the evidence of an incident, under `baseUrl`; undefined where the incident is gone. */
  issueEvidenceLink(workspaceId: string, incidentId: string, channel: EvidenceChannel): Promise<string | undefined>;
  /** Longest that one try over HTTP may take, ms; default 10 s. */
  tryMs?: number;
}

/** Where a message leads to. */
export interface MessageLinks {
  baseUrl: string;
  evidenceUrl(incidentId: string): string | undefined;
}

/** Where to, with all that it takes to send. */
export type Destination =
  | { channel: 'email'; address: string }
  | { channel: 'sms'; address: string }
  | { channel: 'webhook'; url: string; headers: Readonly<Record<string, string>>; secrets: readonly string[] }
  | { channel: 'slack' | 'teams'; url: string };
