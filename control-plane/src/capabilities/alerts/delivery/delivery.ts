import type { ActionGroupType } from '../action-group.js';
import type { MessageExtra } from '../channels/alert-message.js';

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Deliveries of the group itself; whoever pages uses purposes of its own. */
export const GROUP_PURPOSE = 'group';
export const TEST_PURPOSE = 'test';
/** The code by which the owner of a number agrees to alerts. */
export const CONFIRMATION_PURPOSE = 'confirmation';

/** One event that one destination is to hear of. */
export interface NewDelivery {
  id: string;
  workspaceId: string;
  eventId: string;
  /** null where no group sends it. */
  groupId: string | null;
  channel: ActionGroupType;
  /** As it is shown. */
  address: string;
  /** What is sent one after the other. */
  lane: string;
  purpose: string;
  extra: MessageExtra;
}
