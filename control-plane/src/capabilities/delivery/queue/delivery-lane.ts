import { channelOf, type Outlet } from '../../channels/index.js';
import { PAGE_PURPOSE } from './delivery.js';

/** The deliveries to one destination of a workspace, which are sent one after the other. */
export interface DeliveryLane {
  lane: string;
  outlet: Outlet;
  urgent: boolean;
}

export interface LeasedLane {
  workspaceId: string;
  ownerId: string;
  lane: string;
  outlet: Outlet;
  lease: string;
}

const PAGE_LANE = 'page-';

/** Reports whether the messages of a lane are pages, or notices to people who were paged. */
export function isPageLane({ lane }: Pick<LeasedLane, 'lane'>): boolean {
  return lane.startsWith(PAGE_LANE);
}

/**
 * Returns the lane of a person's address, number or contact method, or that of the group for webhooks and chats. Pages have lanes of their own,
 * so that a page does not wait for other messages to the same person.
 */
export function deliveryLaneOf(
  channel: string,
  address: string,
  groupId: string | null,
  purpose: string,
): DeliveryLane {
  const { outlet, isPersonal } = channelOf(channel);
  if (!isPersonal && groupId !== null) return { lane: `${channel}:${groupId}`, outlet, urgent: false };
  const urgent = purpose.startsWith(PAGE_PURPOSE);
  return { lane: `${urgent ? `${PAGE_LANE}${channel}` : channel}:${address.toLowerCase()}`, outlet, urgent };
}

/** The id of the contact method to which the messages of a lane go. */
export function contactMethodOf({ lane }: Pick<LeasedLane, 'lane'>): string {
  return lane.slice(lane.indexOf(':') + 1);
}

/** Returns the lane of mail that is not an alert. */
export function mailLaneOf(recipient: string): DeliveryLane {
  return { lane: `mail:${recipient.toLowerCase()}`, outlet: 'mail', urgent: false };
}

/**
 * The result of sending the next message of a lane. `moved`: its deliveries have another group and are not sent yet.
 * `released`: this worker no longer leases the lane.
 */
export type LaneStep = 'sent' | 'moved' | 'empty' | 'released';
