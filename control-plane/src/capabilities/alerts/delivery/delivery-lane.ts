import type { ActionGroupType } from '../action-group.js';

/**
 * What lanes compete for slots of. Each has slots of its own, so that neither slow receivers nor a slow mail server
 * hold up the others, and neither kind of mail the other.
 */
export const OUTLETS = ['webhook', 'sms', 'alertMail', 'mail'] as const;
export type Outlet = (typeof OUTLETS)[number];

/** What is sent one after the other, within a workspace. */
export interface DeliveryLane {
  lane: string;
  outlet: Outlet;
  urgent: boolean;
}

/** A lane whose turn it is, held by this worker. */
export interface LeasedLane {
  workspaceId: string;
  ownerId: string;
  lane: string;
  outlet: Outlet;
  lease: string;
}

/**
 * The lane of a mailbox or a number; the group's own for what is known by its group alone. Pages have lanes of their
 * own: a page waits behind no other message to the same person.
 */
export function deliveryLaneOf(
  channel: ActionGroupType,
  address: string,
  groupId: string | null,
  purpose: string,
): DeliveryLane {
  const urgent = purpose.startsWith('page');
  const prefix = urgent ? `page-${channel}` : channel;
  if (channel === 'email') return { lane: `${prefix}:${address.toLowerCase()}`, outlet: 'alertMail', urgent };
  if (channel === 'sms') return { lane: `${prefix}:${address.toLowerCase()}`, outlet: 'sms', urgent };
  return { lane: `${channel}:${groupId}`, outlet: 'webhook', urgent: false };
}

/** The lane of mail that is no alert. */
export function mailLaneOf(recipient: string): DeliveryLane {
  return { lane: `mail:${recipient.toLowerCase()}`, outlet: 'mail', urgent: false };
}

/** What sending the next message of a lane led to; `released`: the lane is no longer this worker's. */
export type LaneStep = 'sent' | 'empty' | 'released';
