import type { ManagedBy } from '../managed-objects/index.js';
import type { ActionGroupType } from './channels/registry.js';

export { ACTION_GROUP_TYPES, type ActionGroupType } from './channels/registry.js';

/** The fields of a group with secrets masked. Each channel has some of its own. */
export interface GroupSettings {
  recipients?: string[];
  phoneNumbers?: string[];
  headers?: Record<string, string>;
  [field: string]: unknown;
}

/** The secrets of a group, which are stored encrypted: by field, what settings show masked. */
export interface GroupSecrets {
  /** Signs the messages to a webhook (Standard Webhooks). */
  secret?: string;
  /** Values of secret headers by lower-case name. */
  headers?: Record<string, string>;
  [field: string]: string | Record<string, string> | undefined;
}

export interface GroupContent {
  settings: GroupSettings;
  secrets: GroupSecrets;
}

/** The input for a group; each channel accepts only its own fields. */
export interface GroupInput {
  readonly name?: string | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly [field: string]: unknown;
}

/** A group in answers. Only groups of people have the two lists of recipients. */
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
