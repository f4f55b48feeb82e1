import { readRetryAfter } from '../../../platform/http/retry-after.js';
import { STATUS_CODES } from 'node:http';
import { type Dispatcher, request } from 'undici';
import { EgressRefused } from './egress-agent.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';

/** The deadline of one attempt, from the name lookup to the end of the answer, ms. */
export const TRY_MS = 10_000;
/** How long to wait for the body of an answer after its status, ms. */
const ANSWER_MS = 1_000;
/** The body is read up to this size: services repeat the message, and name its id behind it. */
const MAX_ANSWER_BYTES = 64 * 1024;

export interface PostOptions {
  /** Default POST. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Null: none. */
  body: string | null;
  dispatcher: Dispatcher;
  nowMs: number;
  tryMs?: number;
}

/** An HTTP answer. Redirects are not followed. */
export interface PostAnswer {
  statusCode: number;
  body: string;
  retryAfterMs: number | undefined;
}

export async function postBody(options: PostOptions): Promise<PostAnswer | SendOutcome> {
  const { method = 'POST', url, headers, body, dispatcher, nowMs, tryMs = TRY_MS } = options;
  const signal = AbortSignal.timeout(tryMs);
  try {
    const answer = await request(url, { method, headers, body, dispatcher, signal });
    return {
      statusCode: answer.statusCode,
      body: await readStart(answer.body),
      retryAfterMs: readRetryAfter(answer.headers['retry-after'], nowMs),
    };
  } catch (error) {
    return { kind: 'failed', statusCode: null, answer: describeFailure(error, signal, tryMs) };
  }
}

export function judgeStatus({ statusCode, retryAfterMs }: PostAnswer): SendOutcome {
  const status = `${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trim();
  if (statusCode >= 200 && statusCode < 300) return { kind: 'sent', statusCode, answer: `Answered ${status}.` };
  if (statusCode === 410) return { kind: 'gone', statusCode, answer: 'Answered 410 Gone: it wants no more messages.' };
  if (statusCode >= 300 && statusCode < 400)
    return { kind: 'failed', statusCode, answer: `Answered ${status}; redirects are not followed.` };
  return {
    kind: 'failed',
    statusCode,
    answer: `Answered ${status}.`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Reports whether `postBody` got no answer. */
export function isOutcome(result: PostAnswer | SendOutcome): result is SendOutcome {
  return 'kind' in result;
}

/** Reads the start of a body. The status decides the outcome: a body that breaks off or never ends changes nothing. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), ANSWER_MS);
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The part that was received is enough.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut before there was an answer.',
  UND_ERR_SOCKET: 'The connection was cut before there was an answer.',
  ENOTFOUND: 'The name does not resolve.',
  EAI_AGAIN: 'The name could not be looked up.',
  EHOSTUNREACH: 'There is no route to the host.',
  ENETUNREACH: 'There is no route to the host.',
  UND_ERR_CONNECT_TIMEOUT: 'The host did not answer the connection attempt.',
};

function describeFailure(error: unknown, signal: AbortSignal, tryMs: number): string {
  if (signal.aborted) return `There was no answer within ${Math.round(tryMs / 100) / 10} s.`;
  const { code, cause } = error as NodeJS.ErrnoException;
  if (error instanceof EgressRefused) return error.message;
  if (cause instanceof EgressRefused) return cause.message;
  const known = code === undefined ? undefined : SENTENCES[code];
  if (known !== undefined) return known;
  // Happy Eyeballs (RFC 8305): one error for each address that was tried.
  if (error instanceof AggregateError && error.errors.length > 0)
    return describeFailure(error.errors[0], signal, tryMs);
  if (code !== undefined && /CERT|TLS|SSL|SIGNATURE|ALTNAME/.test(code)) return `TLS failed (${code}).`;
  return `The request failed${code === undefined ? '' : ` (${code})`}.`;
}
