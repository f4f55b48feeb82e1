import type { MessageHandle } from '../../../platform/mail/send-outcome.js';
import { PAGE_PURPOSE } from '../queue/delivery.js';

/** What decides whether a waiting delivery is sent in one message with others. */
export interface JoinableDelivery {
  purpose: string;
  /** The message that contains it, fixed before its first attempt. */
  messageId: string | null;
  /** The number of attempts before this one. */
  attempts: number;
  /** Of the message that the incident has in the chat of the group, which is edited: it is joined with nothing. */
  handle?: MessageHandle | null;
  /** True if it is a page of a person who has left, which is not sent: what is for others is not joined with it. */
  isGone?: boolean;
}

/** The largest number of deliveries that one message to a person contains; the next message contains the others. */
export const MOST_JOINED = 200;

/**
 * Decides which of the waiting deliveries of a lane of pages the next message contains: those in front, so that their order
 * is kept.
 *
 * What a message contains is fixed before its first attempt. A repeated attempt therefore contains the same, and a server
 * that drops it as a duplicate drops nothing that came later. Pages of different people, who share a number, are not
 * joined: the links in a message are those of one reader.
 *
 * @param waiting in their order
 */
export function decideJoint<Delivery extends JoinableDelivery>(waiting: readonly Delivery[]): Delivery[] {
  const [first] = waiting;
  if (!first) return [];
  if (first.messageId !== null) return waiting.filter(({ messageId }) => messageId === first.messageId);
  // It was attempted by a version that joined nothing, under an id of its own.
  if (first.attempts > 0 || first.handle) return [first];
  const joint: Delivery[] = [];
  let reader: string | null = null;
  for (const one of waiting.slice(0, MOST_JOINED)) {
    const paged = pagedUserOf(one);
    if (
      one.messageId !== null ||
      one.isGone !== first.isGone ||
      one.attempts > 0 ||
      one.handle ||
      (reader !== null && paged !== null && paged !== reader)
    )
      break;
    reader ??= paged;
    joint.push(one);
  }
  return joint;
}

/** @returns the id of the person whom a page is for; null for the notice that an incident is over */
export function pagedUserOf({ purpose }: Pick<JoinableDelivery, 'purpose'>): string | null {
  const [kind, , userId = null] = purpose.split(':');
  return kind === PAGE_PURPOSE ? userId : null;
}

/** @returns the id of the message that contains deliveries: that of the first of them, unless it was fixed before */
export function messageIdOf([first]: readonly { id: string; messageId: string | null }[]): string {
  return first!.messageId ?? first!.id;
}
