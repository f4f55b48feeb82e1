import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import type { Channels } from '../sending/channels.js';

/** A request that a service makes to us. Its body is as it came, because that is what is signed. */
export interface ServiceCall {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  nowMs: number;
}

/** The fields of a group, with its secrets. */
export type OpenFields = Readonly<Record<string, unknown>>;

/** How the calls of a service are distinguished from those of anybody else. */
export interface Proof {
  /** The optional fields of a group without which nothing is taken from the service. */
  readonly needs: readonly string[];
  /** Checks signature or secret in constant time, and that the call is not old where the service signs its time. */
  isGenuine(call: ServiceCall, fields: OpenFields): boolean;
}

export function hasAllOf({ needs }: Proof, fields: OpenFields): boolean {
  return needs.every((name) => typeof fields[name] === 'string');
}

export interface Press {
  accountId: string;
  incidentId: string;
}

type PressReading =
  /** It is no press of the button. */
  | { press: null; answer: object }
  | {
      press: Press;
      /** Shows a sentence to the person alone: by the answer that it returns, or by a request of its own. */
      show(sentence: string, channels: Channels, nowMs: number): object | Promise<object>;
    };

export interface Presses extends Proof {
  read(body: Buffer): PressReading;
  /** Sends a text to one person by the bot of a group. */
  sendTo(
    channels: Channels,
    group: { id: string; fields: OpenFields },
    person: { accountId: string; text: string },
    nowMs: number,
  ): Promise<SendOutcome>;
}

export interface ServiceEvent {
  incidentId: string;
  change: 'acknowledged' | 'resolved';
  /** The person's name there. */
  person: string;
}

/** What people do at a service is done here too. */
export interface ServiceEvents extends Proof {
  /** @returns null for an event that changes nothing here */
  read(body: Buffer): ServiceEvent | null;
}

export function pressUrl(baseUrl: string, type: string, groupId: string): string {
  return `${baseUrl}/api/v1/channels/${type}/press/${groupId}`;
}

/** The id and the value of the button, in all chats. */
export const ACKNOWLEDGE_ACTION = 'acknowledge';

const MAX_AGE_SECONDS = 300;

/** Whether a time in seconds that a service signed is not more than five minutes away. */
export function isRecent(seconds: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(nowMs / 1_000 - Number(seconds)) <= MAX_AGE_SECONDS;
}

/** The one value of a header; '' where there is none or several. */
export function headerOf({ headers }: ServiceCall, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
