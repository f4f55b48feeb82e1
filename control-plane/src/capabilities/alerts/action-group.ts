import type { LimitKey } from '../plans/index.js';

/** The channels that a notification can take. */
export const ACTION_GROUP_TYPES = ['email', 'sms', 'webhook', 'slack', 'teams'] as const;
export type ActionGroupType = (typeof ACTION_GROUP_TYPES)[number];

/** What the plan counts groups of a channel under. */
export const LIMIT_OF: Readonly<Record<ActionGroupType, LimitKey>> = {
  email: 'emailGroups',
  sms: 'smsGroups',
  webhook: 'webhookGroups',
  slack: 'slackGroups',
  teams: 'msTeamsGroups',
};

/** Where a group sends to, as it is shown: secrets are masked. Each type has its own of these fields. */
export interface GroupSettings {
  recipients?: string[];
  phoneNumbers?: string[];
  url?: string;
  headers?: Record<string, string>;
  webhookUrl?: string;
}

/** What is kept encrypted. */
export interface GroupSecrets {
  /** Signs what a webhook is sent, as Standard Webhooks has it. */
  secret?: string;
  /** Values of secret headers by lower-case name. */
  headers?: Record<string, string>;
  /** Whoever has the URL of a chat can post there. */
  webhookUrl?: string;
}

export interface GroupContent {
  settings: GroupSettings;
  secrets: GroupSecrets;
}

/** What a caller gives of a group; each type takes its own fields only. */
export interface GroupInput {
  readonly name?: string | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly recipients?: string[] | undefined;
  readonly phoneNumbers?: string[] | undefined;
  readonly url?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly webhookUrl?: string | undefined;
}

/** A group as it is shown; the two lists for email and SMS alone. */
export interface ActionGroup extends GroupSettings {
  /** Those that have not confirmed: nothing but the request is sent to them. */
  recipientsPending?: string[];
  /** Those that refused to be asked again. */
  recipientsRefused?: string[];
  id: string;
  type: ActionGroupType;
  name: string;
  isEnabled: boolean;
  /** How many monitors it is attached to. */
  monitorCount: number;
  created: string;
  lastModified: string;
}

/** With the signing secret of a webhook where this is the one time that it is shown, else null. */
export interface RevealedGroup {
  group: ActionGroup;
  secret: string | null;
}
