import { ProbeFault } from './probe-fault.js';
import { prepareRequest, type HttpRequest } from './request-head.js';
import { parseUrl } from '@watchpost/shared/parse-url';

/** 300 leaves the choice to a person, 304 answers a question that was not asked: neither is followed. */
const FOLLOWED = new Set([301, 302, 303, 307, 308]);
export const MOST_REDIRECTS = 10;

/** Headers that say nothing secret; whatever else a customer sets may be a credential, and stays with its origin. */
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
 * What comes after an answer (RFC 9110 §15.4): the next request, null where the answer is the last, or a
 * fault where a redirect cannot be followed.
 * @param location the header's value, a character for each byte
 * @param followed how many redirects were followed before
 */
export function decideRedirect(
  request: HttpRequest,
  statusCode: number,
  location: string | undefined,
  followed: number,
  userAgent: string,
): HttpRequest | ProbeFault | null {
  if (!isRedirect(statusCode) || location === undefined) return null;
  const current = new URL(request.href);
  const from = current.origin + current.pathname;
  const text = decodeLocation(location);
  const shown = printable(text);
  const url = parseUrl(text, request.href);
  if (!url) return new ProbeFault('bad_redirect', { from, why: `“${shown}” is not a URL` });
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return new ProbeFault('bad_redirect', { from, why: `${shown} is neither an http nor an https address` });
  url.username = '';
  url.password = '';
  url.hash = '';
  if (followed >= MOST_REDIRECTS)
    return new ProbeFault('too_many_redirects', { limit: MOST_REDIRECTS, to: printable(url.href) });

  const toGet = statusCode === 303 ? request.method !== 'HEAD' : statusCode <= 302 && request.method === 'POST';
  const sameOrigin = url.origin === current.origin;
  const headers = request.headers.filter(({ name }) => {
    const key = name.toLowerCase();
    return (sameOrigin || HARMLESS.has(key)) && !(toGet && CONTENT.has(key));
  });
  return prepareRequest(
    { url, headers, method: toGet ? 'GET' : request.method, body: toGet ? null : request.body },
    userAgent,
  );
}

/** Servers send UTF-8 here, whatever the RFC says; headers are read one character a byte. */
function decodeLocation(location: string): string {
  const utf8 = Buffer.from(location, 'latin1').toString();
  return utf8.includes('\ufffd') ? location : utf8;
}

function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 200);
}
