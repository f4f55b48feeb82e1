import type { ManagedBy } from '../../../platform/documents/managed-by.js';
import type { ActionGroupType } from '../../channels/index.js';
import type { GroupRules, GroupSettings } from '../../group-settings/index.js';

/** A group in answers. Only groups of people have the two lists of recipients. */
export interface ActionGroup extends GroupSettings, GroupRules {
  /** Recipients that have not confirmed: nothing but the request is sent to them. */
  recipientsPending?: string[];
  /** Recipients that refused alerts and further requests. */
  recipientsRefused?: string[];
  id: string;
  type: ActionGroupType;
  name: string;
  isEnabled: boolean;
  attachTo: AttachTo;
  monitorCount: number;
  managedBy: ManagedBy;
  created: string;
  lastModified: string;
}

/** The monitors that have a group beside those that it is attached to one by one: those with one of the tags, or all. */
export interface AttachTo {
  tags: string[];
  all: boolean;
}

/** A group with the signing secret of a webhook if this is the one answer that contains it, else null. */
export interface RevealedGroup {
  group: ActionGroup;
  secret: string | null;
}
