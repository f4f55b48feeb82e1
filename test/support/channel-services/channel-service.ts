import type { ReceivedCall } from '../webhook-receiver.js';

/** An answer of a service. */
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
}

/** A service that messages are sent to, as its documentation describes it. */
export interface ChannelService {
  /** The variable of its base URL, where it is at one place for everybody. */
  readonly variable?: string;
  /** The fields of a group that sends to this service at the URL. */
  group(url: string): Record<string, unknown>;
  /** Reads a call as the service does. @throws Refusal */
  read(call: ReceivedCall): Seen;
  /** By what the service recognises a call that it has taken already; undefined: by nothing. */
  keyOf?(call: ReceivedCall): string | undefined;
  /** The answer to the message of this number, from 1; default 200 without a body. */
  taken?(number: number): Answer;
  /** The answer where messages come too fast; default 429 with `Retry-After`. */
  busy?(seconds: number): Answer;
  /** A refusal, and the sentence by which the test of a group shows it. */
  readonly refusal: { answer: Answer; shown: string };
}

/** The service refuses a call; the message is the reason. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** @throws Refusal unless the condition holds */
export function demand(condition: unknown, reason: string): asserts condition {
  if (!condition) throw new Refusal(reason);
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
