import type { ManagedBy } from '../managed-objects/index.js';
import type { LimitKey } from '../plans/index.js';

/** The channels of notifications. */
export const ACTION_GROUP_TYPES = ['email', 'sms', 'webhook', 'slack', 'teams'] as const;
export type ActionGroupType = (typeof ACTION_GROUP_TYPES)[number];

/** The limit of the plan that counts the groups of a channel. */
export const LIMIT_OF: Readonly<Record<ActionGroupType, LimitKey>> = {
  email: 'emailGroups',
  sms: 'smsGroups',
  webhook: 'webhookGroups',
  slack: 'slackGroups',
  teams: 'msTeamsGroups',
};

/** The destinations of a group with secrets masked. Each type has some of these fields. */
export interface GroupSettings {
  recipients?: string[];
  phoneNumbers?: string[];
  url?: string;
  headers?: Record<string, string>;
  webhookUrl?: string;
}

/** The secrets of a group, which are stored encrypted. */
export interface GroupSecrets {
  /** Signs the messages to a webhook (Standard Webhooks). */
  secret?: string;
  /** Values of secret headers by lower-case name. */
  headers?: Record<string, string>;
  /** The URL of a webhook, where it has a query: receivers have their keys there. */
  url?: string;
  /** The URL of a chat is a secret: it is all that posting there needs. */
  webhookUrl?: string;
}

export interface GroupContent {
  settings: GroupSettings;
  secrets: GroupSecrets;
}

/** The input for a group; each type accepts only its own fields. */
export interface GroupInput {
  readonly name?: string | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly recipients?: string[] | undefined;
  readonly phoneNumbers?: string[] | undefined;
  readonly url?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly webhookUrl?: string | undefined;
}

/** A group in answers. Only email and SMS groups have the two lists of recipients. */
export interface ActionGroup extends GroupSettings {
  /** Recipients that have not confirmed: nothing but the request is sent to them. */
  recipientsPending?: string[];
  /** Recipients that refused alerts and further requests. */
  recipientsRefused?: string[];
  id: string;
  type: ActionGroupType;
  name: string;
  isEnabled: boolean;
  /** The number of monitors that the group is attached to. */
  monitorCount: number;
  managedBy: ManagedBy;
  created: string;
  lastModified: string;
}

/** A group with the signing secret of a webhook if this is the one answer that contains it, else null. */
export interface RevealedGroup {
  group: ActionGroup;
  secret: string | null;
}
