import { VERSION } from '@watchpost/shared/build';
import { CommandError } from '../command/command-error.js';
import { readBounded } from '../read-bounded.js';
import { connectionError } from './connection-error.js';

/** Longer answers are refused. The largest are exports, of a few MiB. */
const MAX_ANSWER_BYTES = 64 * 1_024 * 1_024;
const USER_AGENT = `watchpost-cli/${VERSION}`;

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** From the connection to the last byte of the answer. */
  deadlineMs: number;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * One request and its answer. Redirects are not followed: they would pass credentials to another host.
 * @throws ConnectionError; CommandError for a redirect and an answer without end
 */
export async function sendRequest({ method, url, headers, body, deadlineMs }: HttpRequest): Promise<HttpAnswer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers: { 'user-agent': USER_AGENT, ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    });
    const excess = new CommandError(`${url.origin} answered with more than ${MAX_ANSWER_BYTES / 1_024 / 1_024} MiB.`);
    text = response.body ? (await readBounded(response.body, MAX_ANSWER_BYTES, excess)).toString() : '';
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw connectionError(error, url, deadlineMs);
  }
  if (response.status >= 300 && response.status < 400) {
    const target = response.headers.get('location') ?? 'another address';
    throw new CommandError(`${url.origin} redirects to ${target}.`, {
      code: 'redirected',
      nextStep: 'Name the final address with `--url` or WATCHPOST_URL.',
    });
  }
  return { status: response.status, headers: response.headers, text };
}
