import type { Dispatcher } from 'undici';
import type { Mailer } from './mailer.js';
import type { SmsProvider } from './send-sms.js';

/** The ways out of this installation. */
export interface Channels {
  mailer: Mailer;
  sms: SmsProvider;
  /** For URLs that users name: it connects only where the egress policy lets it. */
  outbound: Dispatcher;
  /** Where callers reach the service, without a slash at the end: all links lead there. */
  baseUrl: string;
  /** Where an incident's evidence is shown to whoever has this link, under `baseUrl`. */
  evidenceUrl(incidentId: string): string;
  /** Longest that one try over HTTP may take, ms; default 10 s. */
  tryMs?: number;
}

/** Where to, with all that it takes to send. */
export type Destination =
  | { channel: 'email'; address: string }
  | { channel: 'sms'; address: string }
  | { channel: 'webhook'; url: string; headers: Readonly<Record<string, string>>; secrets: readonly string[] }
  | { channel: 'slack' | 'teams'; url: string };
