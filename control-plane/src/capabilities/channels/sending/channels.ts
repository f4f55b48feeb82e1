import type { Dispatcher } from 'undici';
import type { Mailer } from '../../../platform/mail/mailer.js';
import type { PhoneProvider } from './phone-provider.js';

export interface Channels {
  mailer: Mailer;
  phone: PhoneProvider;
  /** For URLs that users enter: it connects only where the egress policy allows it. */
  outbound: Dispatcher;
  /** For URLs that the operator chooses, which may be internal: no egress policy applies. */
  trusted: Dispatcher;
  /** Base URLs of services that are at one place for everybody, by the name of their variable; without a trailing slash. */
  serviceUrls: Readonly<Record<string, string>>;
  /** The public URL of the service, without a trailing slash; the base of all links. */
  baseUrl: string;
  /** The deadline of one attempt over HTTP, ms; default 10 s. */
  tryMs?: number;
}

/** Returns the link to the evidence of an incident for the messages of a channel; undefined where the incident was deleted. */
export type IssueEvidenceLink = (subject: {
  workspaceId: string;
  incidentId: string;
  channel: string;
}) => Promise<string | undefined>;

export interface MessageLinks {
  baseUrl: string;
  evidenceUrl(incidentId: string): string | undefined;
  /** Whether the destination has what the button of its channel needs; default false. */
  hasButton?: boolean;
  /** Whether its reader may be any member, who acknowledges in the console after signing in; default false. */
  isForMembers?: boolean;
}

export interface Destination {
  channel: string;
  /** The group; undefined for a person. */
  groupId?: string;
  /** The address or number of a person; else what is shown of the URL. */
  address: string;
  /** Whether the address is that of a member, as far as it is known. */
  isMember?: boolean;
  /** Of the group: what people read about an event. */
  template?: string;
  /** The fields of the group, with secrets; undefined for a person. */
  fields?: Readonly<Record<string, unknown>>;
  /** What messages are signed with, where the channel signs them. */
  secrets?: readonly string[];
}
