import type { ActionGroupType, MessageExtra } from '../../channels/index.js';

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The purpose of deliveries of a group; paging has purposes of its own. */
export const GROUP_PURPOSE = 'group';
export const TEST_PURPOSE = 'test';
/** Pages have the purpose `page:STEP:USER`, and the notice to those people that it is over has `paged`. */
export const PAGE_PURPOSE = 'page';
/** The purpose of the code with which the user of a number agrees to alerts. */
export const CONFIRMATION_PURPOSE = 'confirmation';

export interface NewDelivery {
  id: string;
  workspaceId: string;
  eventId: string;
  /** null where it is not sent by a group. */
  groupId: string | null;
  channel: ActionGroupType;
  /** As the interface shows it: masked where it is a secret. */
  address: string;
  /** Deliveries of one lane are sent one after the other. */
  lane: string;
  purpose: string;
  /** Why it is not sent, as a sentence: it is listed only. */
  cancelled?: string;
  extra: MessageExtra;
}
