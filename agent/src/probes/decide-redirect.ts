import type { HttpTarget } from '@watchpost/shared/checks/http';
import { cutText } from '@watchpost/shared/storable-text';
import { valuesOf } from './answer-head.js';
import { prepareWithCookies, type ChainAnswer } from './decide-cookies.js';
import { ProbeFault } from './probe-fault.js';
import type { HttpRequest } from './request-head.js';
import { parseUrl } from '@watchpost/shared/parse-url';

/** 300 requires a choice and 304 a conditional request, so that neither is followed. */
const FOLLOWED = new Set([301, 302, 303, 307, 308]);
export const MOST_REDIRECTS = 10;

/** Headers that contain no secrets. Any other header of a monitor can be a credential and is sent to its origin only. */
const HARMLESS = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-language',
  'content-type',
  'dnt',
  'pragma',
  'user-agent',
]);
const CONTENT = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

export function isRedirect(statusCode: number): boolean {
  return FOLLOWED.has(statusCode);
}

/**
 * Decides what follows a response (RFC 9110 §15.4): the next request, null after the last response, or a fault where a
 * redirect cannot be followed.
 * @param request the one that got the last answer
 * @param answers all of the chain so far
 * @param earlier those before it, whose cookies are kept
 */
export function decideRedirect(
  target: HttpTarget,
  request: HttpRequest,
  answers: readonly ChainAnswer[],
  userAgent: string,
  earlier: readonly ChainAnswer[] = [],
): HttpRequest | ProbeFault | null {
  const { head } = answers.at(-1)!;
  const { statusCode } = head;
  if (!target.followRedirects || !isRedirect(statusCode)) return null;
  const [location, ...others] = valuesOf(head, 'location');
  if (location === undefined) return null;
  const current = new URL(request.href);
  const from = current.origin + current.pathname;
  // Browsers follow a header that is repeated, and no redirect to several places.
  if (others.some((other) => other !== location))
    return new ProbeFault('bad_redirect', { from, why: 'it names several locations' });
  const text = decodeLocation(location);
  const shown = printable(text);
  const url = parseUrl(text, request.href);
  if (!url) return new ProbeFault('bad_redirect', { from, why: `“${shown}” is not a URL` });
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return new ProbeFault('bad_redirect', { from, why: `${shown} is neither an http nor an https address` });
  url.username = '';
  url.password = '';
  url.hash = '';
  if (answers.filter((answer) => isRedirect(answer.head.statusCode)).length > MOST_REDIRECTS)
    return new ProbeFault('too_many_redirects', { limit: MOST_REDIRECTS, to: printable(url.href) });

  const toGet = statusCode === 303 ? request.method !== 'HEAD' : statusCode <= 302 && request.method === 'POST';
  const sameOrigin = url.origin === current.origin;
  const { secretParts } = request;
  if (!sameOrigin && !toGet && request.body !== null && secretParts?.has('body'))
    return new ProbeFault('bad_redirect', { from, why: 'the body has secrets, which no other origin gets' });
  const headers = request.headers.filter(({ name }) => {
    const key = name.toLowerCase();
    return (sameOrigin || (HARMLESS.has(key) && !secretParts?.has(key))) && !(toGet && CONTENT.has(key));
  });
  const parts = { url, method: toGet ? 'GET' : request.method, body: toGet ? null : request.body };
  const connectTo = url.origin === new URL(answers[0]!.url).origin ? target.connectTo : null;
  const next = prepareWithCookies(target, { ...parts, headers }, [...earlier, ...answers], userAgent, connectTo);
  return secretParts ? { ...next, secretParts } : next;
}

/** Servers send UTF-8 here, against the RFC; headers are read as Latin-1. */
function decodeLocation(location: string): string {
  const utf8 = Buffer.from(location, 'latin1').toString();
  return utf8.includes('\ufffd') ? location : utf8;
}

function printable(text: string): string {
  return cutText(text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?'), 200);
}
