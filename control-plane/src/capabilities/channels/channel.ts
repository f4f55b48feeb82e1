import type { NotifiedEventType } from './alert-event.js';
import type { AlertMessage, Notification } from './messages/alert-message.js';
import type { Channels, Destination, MessageLinks } from './sending/channels.js';
import type { ChannelField } from './content/field-kinds.js';
import type { Presses, ServiceEvents } from './presses/service-call.js';
import type { MessageHandle, SendOutcome } from '../../platform/mail/send-outcome.js';

/**
 * The outlets, each with delivery slots of its own: slow receivers do not delay mail, a slow mail server does not delay
 * webhooks, and alerts and other mail do not delay each other.
 */
export const OUTLETS = ['webhook', 'sms', 'alertMail', 'mail'] as const;
export type Outlet = (typeof OUTLETS)[number];

/** Where people look for a channel in a list of all. */
export const CHANNEL_CATEGORIES = ['chat', 'incidents', 'push', 'people', 'other'] as const;
export type ChannelCategory = (typeof CHANNEL_CATEGORIES)[number];

/** At most `most` messages to a destination in any period of `windowMs`. */
export interface Throttle {
  most: number;
  windowMs: number;
}

export interface Sending {
  channels: Channels;
  destination: Destination;
  /** Of the message, the same at every attempt. */
  id: string;
  /** One; several where one mail or SMS contains them. */
  notifications: readonly [Notification, ...Notification[]];
  /** What people read about them. */
  message: AlertMessage;
  replyTo?: MessageHandle;
  links: MessageLinks;
  nowMs: number;
}

/** What a message looks like: the text that people get, or the JSON that a service gets. */
export interface RenderedMessage {
  text: string | null;
  body: Record<string, unknown> | null;
}

/** A way to notify people: all that the service knows of it. The registry lists them. */
export interface Channel<Type extends string = string> {
  readonly type: Type;
  /** In names of operations and schemas, such as `Slack` in `createSlackActionGroup`. */
  readonly id: string;
  /** In a sentence, such as `Slack` in "a Slack group". */
  readonly title: string;
  readonly article: 'a' | 'an';
  readonly category: ChannelCategory;
  readonly fields: readonly ChannelField[];
  /** The field with the addresses, or the URL, that messages go to; of several the first that is given. */
  readonly destination: string | readonly string[];
  /** Sets of optional fields, of which a group has one: all fields of it, and none of the others. */
  readonly alternatives?: readonly (readonly string[])[];
  /** Whether each address is a person, who agrees, has a lane and can be paged; if not, a group has one lane. */
  readonly isPersonal: boolean;
  /** Whether a group is created with a monitor only, under its address. */
  readonly isMadeWithMonitor?: boolean;
  /** By which channel its recipients agree, and whose budget counts its messages; every personal channel has one. */
  readonly consent?: 'email' | 'sms';
  /** Whether the provider reports later what became of a message that it took: only then is it on the timeline. */
  readonly reportsEnd?: boolean;
  readonly outlet: Outlet;
  /** Counted in the database, for every message. */
  readonly throttle?: Throttle;
  /** Counted in each process, for pages: what comes meanwhile is joined. */
  readonly pagePace?: Throttle;
  /** Events that are not sent. */
  readonly skips?: readonly NotifiedEventType[];
  /** Whether changes that concern programs only are sent too. */
  readonly takesMinorEvents?: boolean;
  /** Whether messages are signed with a secret of the group (Standard Webhooks). */
  readonly isSigned?: boolean;
  /** The button in its messages that acknowledges. */
  readonly presses?: Presses;
  /** What people do at the service, which is done here too. */
  readonly events?: ServiceEvents;
  /** The notifications whose incidents a message describes; default the latest of each incident. */
  described?(notifications: readonly Notification[]): readonly Notification[];
  /** Masks a destination for timelines: readers can distinguish destinations without seeing them in full. */
  mask(address: string): string;
  /** @param message what people read about the events */
  render(
    message: AlertMessage,
    notifications: readonly [Notification, ...Notification[]],
    links: MessageLinks,
  ): RenderedMessage;
  /** Makes one attempt. Throws only internal errors. What was sent has a handle where `edit` can change it. */
  send(sending: Sending): Promise<SendOutcome>;
  /** Changes a message that was sent, in one attempt: a refusal has the kind `rejected`, or a status of 4xx. */
  edit?(sending: Sending, handle: MessageHandle): Promise<SendOutcome>;
}

/** The fields that may be the destination of a group, in their order. */
export function destinationFields({ destination }: Pick<Channel, 'destination'>): string[] {
  return [destination].flat();
}

/**
 * The destinations of a group as its settings show them: the addresses of people, or the one of a service; none where
 * nothing is given.
 */
export function destinationsOf(
  channel: Pick<Channel, 'destination'>,
  settings: Readonly<Record<string, unknown>>,
): string[] {
  const given = destinationFields(channel).map((name) => [settings[name] ?? []].flat() as string[]);
  return given.find((values) => values.length > 0) ?? [];
}

export function defineChannel<const Type extends string>(channel: Channel<Type>): Channel<Type> {
  return channel;
}
