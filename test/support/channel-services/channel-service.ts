import type { ReceivedCall } from '../webhook-receiver.js';

export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** A message as people see it in the service: its text, the title first and without markup, and where its links lead. */
export interface Seen {
  text: string;
  links: string[];
  /** The number of the message that it replaces. */
  edits?: number;
  place?: string;
  /** The number of the message that it answers. */
  replyTo?: number;
}

/** A place of a service that has several: where a group posts. */
export type Place = 'one' | 'two' | 'three' | 'forbidden';

/** A service that messages are sent to, as its documentation describes it. */
export interface ChannelService {
  /** The variable of its base URL, where it is at one place for everybody. */
  readonly variable?: string;
  /** The fields of a group that sends to this service at the URL; to another place than the first, where it has several. */
  group(url: string, place?: Place): Record<string, unknown>;
  /** The answer to a call that carries no message; undefined for others. */
  ask?(call: ReceivedCall): Answer | undefined;
  /** Reads a call as the service does. @throws Refusal */
  read(call: ReceivedCall): Seen;
  /** By what the service recognises a call that it has taken already; undefined: by nothing. */
  keyOf?(call: ReceivedCall): string | undefined;
  /** The answer to the message of this number, from 1; default 200 without a body. */
  taken?(number: number, seen: Seen): Answer;
  /** The answer where messages come too fast; default 429 with `Retry-After`. */
  busy?(seconds: number): Answer;
  /** The answer to an edit of a message that is gone; null: it takes the edit, which nobody sees. */
  readonly gone?: Answer | null;
  /** The answer to an edit that changes nothing; default it takes it. */
  readonly unchanged?: Answer;
  /** The answer to a reply to a message that is gone; default it takes it. */
  readonly orphan?: Answer;
  /** A refusal, and the sentence by which the test of a group shows it. */
  readonly refusal: { answer: Answer; shown: string };
}

/** The service refuses a call; the message is the reason. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    reason: string,
    readonly answer: Answer = { status: 400 },
  ) {
    super(reason);
  }
}

/** @throws Refusal unless the condition holds */
export function demand(condition: unknown, reason: string, answer?: Answer): asserts condition {
  if (!condition) throw new Refusal(reason, answer);
}

/** A required text within a length. @throws Refusal */
export function textWithin(value: unknown, most: number, what: string): string {
  demand(typeof value === 'string' && value.length > 0, `${what} is missing`);
  demand(value.length <= most, `${what} has ${value.length} of ${most} characters`);
  demand(!/[\u202a-\u202e\u2066-\u2069]/.test(value), `${what} changes the direction of what is beside it`);
  return value;
}

/** The JSON of a call. @throws Refusal */
export function jsonOf({ headers, body }: ReceivedCall): ReturnType<typeof JSON.parse> {
  demand(headers['content-type']?.startsWith('application/json'), `the type is ${headers['content-type']}`);
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal('the body is no JSON');
  }
}

/** Text in which the service recognises addresses, names and codes without markup. @throws Refusal where there are any */
export function inertText(text: string): string {
  const found = /[@#]\w|:\/\/\w|:\w+:|(?<=\p{L})\.(?=\p{L})|(?:^|\s)\/\w/u.exec(text);
  demand(!found, `${found?.[0]} is recognised in: ${text}`);
  return text.replaceAll('\u2060', '');
}

/** The text that characters and tags of HTML stand for, and where its links lead. @throws Refusal for any other tag */
export function readHtml(html: string, tags: RegExp): Seen {
  const links = [...html.matchAll(/<a href="([^"]*)">/g)].map(([, url]) => unescape(url!));
  const text = html
    .replace(/<a href="[^"]*">[^<]*<\/a>/g, '')
    .replace(/<br>|<\/?(?:p|li|ul)>/g, '\n')
    .replace(/<[^>]*>?/g, (tag) => {
      demand(tags.test(tag), `there is no tag ${tag}`);
      return '';
    });
  return { text: inertText(unescape(text)), links };
}

function unescape(html: string): string {
  return html.replace(/&(lt|gt|amp);|&/g, (entity, name?: string) => {
    demand(name, `an & is not escaped: ${html}`);
    return { lt: '<', gt: '>', amp: '&' }[name] ?? entity;
  });
}
