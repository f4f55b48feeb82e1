import { ProbeFault } from './probe-fault.js';
import type { HttpRequest } from './request-head.js';

/** 300 leaves the choice to a person, 304 answers a question that was not asked: neither is followed. */
const FOLLOWED = new Set([301, 302, 303, 307, 308]);
export const MOST_REDIRECTS = 10;

/** Headers that say nothing secret; whatever else a customer sets may be a credential, and stays with its origin. */
const HARMLESS = new Set(['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'content-language', 'content-type', 'dnt', 'pragma', 'user-agent']);
const CONTENT = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

/**
 * What comes after an answer (RFC 9110 §15.4): the next request, null where the answer is the last, or a
 * fault where a redirect cannot be followed.
 * @param location the header as Node reads it, byte by byte
 * @param followed how many redirects were followed before
 */
export function decideRedirect(request: HttpRequest, statusCode: number, location: string | undefined, followed: number): HttpRequest | ProbeFault | null {
  if (!FOLLOWED.has(statusCode) || location === undefined) return null;
  const from = request.url.origin + request.url.pathname;
  const text = decodeLocation(location);
  const shown = printable(text);
  if (!URL.canParse(text, request.url.href)) return new ProbeFault('bad_redirect', { from, why: `“${shown}” is not a URL` });
  const url = new URL(text, request.url.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return new ProbeFault('bad_redirect', { from, why: `${shown} is neither an http nor an https address` });
  url.username = '';
  url.password = '';
  url.hash = '';
  if (followed >= MOST_REDIRECTS) return new ProbeFault('too_many_redirects', { limit: MOST_REDIRECTS, to: printable(url.href) });

  const toGet = statusCode === 303 ? request.method !== 'HEAD' : statusCode <= 302 && request.method === 'POST';
  const sameOrigin = url.origin === request.url.origin;
  const headers = request.headers.filter(({ name }) => {
    const key = name.toLowerCase();
    return (sameOrigin || HARMLESS.has(key)) && !(toGet && CONTENT.has(key));
  });
  return { url, headers, method: toGet ? 'GET' : request.method, body: toGet ? null : request.body };
}

/** Servers send UTF-8 here, whatever the RFC says; Node hands it over one byte a character. */
function decodeLocation(location: string): string {
  const utf8 = Buffer.from(location, 'latin1').toString();
  return utf8.includes('\ufffd') ? location : utf8;
}

function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 200);
}
