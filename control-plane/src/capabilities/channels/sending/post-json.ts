import type { Channels } from './channels.js';
import { isOutcome, judgeStatus, postBody, type PostAnswer, type PostOptions } from './post-body.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';

const USER_AGENT = 'Watchpost-Webhook/1';

export interface JsonRequest extends Pick<PostOptions, 'method'> {
  /** What a user entered, to which the egress policy applies; or a path at the service of a variable. */
  url: string | { service: string; path: string };
  headers?: Readonly<Record<string, string>>;
  /** A text is JSON already; default none. */
  body?: string | Record<string, unknown>;
  /** Judges an answer; default by its status. A service that reports refusals in its body needs one of its own. */
  judge?(answer: PostAnswer): SendOutcome;
}

/** Sends JSON to a URL that a user entered, or to a service of the operator's. */
export async function postJson(
  { outbound, trusted, serviceUrls, tryMs }: Channels,
  { method, url, headers: given = {}, body, judge = judgeStatus }: JsonRequest,
  nowMs: number,
): Promise<SendOutcome> {
  const own = Object.keys(given).some((name) => name.toLowerCase() === 'user-agent')
    ? {}
    : { 'user-agent': USER_AGENT };
  const answer = await postBody({
    ...(method === undefined ? {} : { method }),
    ...(typeof url === 'string'
      ? { url, dispatcher: outbound }
      : { url: `${serviceUrls[url.service]}${url.path}`, dispatcher: trusted }),
    headers: { ...own, ...given, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    nowMs,
    ...(tryMs === undefined ? {} : { tryMs }),
  });
  return isOutcome(answer) ? answer : judge(answer);
}

/** The fields of an answer; none where it is no JSON object. */
export function jsonOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Whether a service named a message so that it can stand in a URL. */
export function isMessageId(id: unknown): id is string {
  return typeof id === 'string' && /^[\w.:-]{1,100}$/.test(id);
}
