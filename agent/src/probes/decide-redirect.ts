import type { HttpTarget } from '@watchpost/shared/checks/http';
import { cutText } from '@watchpost/shared/storable-text';
import { valuesOf, type AnswerHead } from './answer-head.js';
import { ProbeFault } from './probe-fault.js';
import { prepareRequest, type HeaderField, type HttpRequest } from './request-head.js';
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
/** What breaks a header, or cannot be sent in Latin-1. */
const UNSENDABLE = /[^ -~\x80-\xff]/;
/** A server without a clock states no date. Those that remove a cookie let it expire at the beginning of time. */
const NO_DATE = '1970-01-02T00:00:00Z';
const CONTENT = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

/** An answer of a redirect chain, with the URL of its request. */
export interface ChainAnswer {
  url: string;
  head: AnswerHead;
}

export function isRedirect(statusCode: number): boolean {
  return FOLLOWED.has(statusCode);
}

/**
 * Decides what follows a response (RFC 9110 §15.4): the next request, null after the last response, or a fault where a
 * redirect cannot be followed.
 * @param request the one that got the last answer
 * @param answers all of the chain so far
 */
export function decideRedirect(
  target: HttpTarget,
  request: HttpRequest,
  answers: readonly ChainAnswer[],
  userAgent: string,
): HttpRequest | ProbeFault | null {
  const { head } = answers.at(-1)!;
  const { statusCode } = head;
  const [location, ...others] = valuesOf(head, 'location');
  if (!target.followRedirects || !isRedirect(statusCode) || location === undefined) return null;
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
  if (answers.length > MOST_REDIRECTS)
    return new ProbeFault('too_many_redirects', { limit: MOST_REDIRECTS, to: printable(url.href) });

  const toGet = statusCode === 303 ? request.method !== 'HEAD' : statusCode <= 302 && request.method === 'POST';
  const sameOrigin = url.origin === current.origin;
  const headers = request.headers.filter(({ name }) => {
    const key = name.toLowerCase();
    return (sameOrigin || HARMLESS.has(key)) && !(toGet && CONTENT.has(key));
  });
  const parts = { url, headers, method: toGet ? 'GET' : request.method, body: toGet ? null : request.body };
  const next = prepareRequest(parts, userAgent);
  const cookies = target.cookies === 'none' ? [] : cookiesFor(url, answers);
  if (cookies.length === 0) return next;
  // Its headers stay those of the monitor: the next redirect has cookies of its own.
  return { ...next, head: prepareRequest({ ...parts, headers: withCookies(headers, cookies) }, userAgent).head };
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** The cookies that answers of the URL's own origin have set for it (RFC 6265). Another origin gets none of them. */
function cookiesFor(url: URL, answers: readonly ChainAnswer[]): Cookie[] {
  const kept = new Map<string, Cookie>();
  for (const { url: from, head } of answers) {
    const source = new URL(from);
    if (source.origin !== url.origin) continue;
    for (const text of valuesOf(head, 'set-cookie')) {
      const set = readCookie(text, source, Date.parse(valuesOf(head, 'date')[0] ?? NO_DATE));
      if (set === null) continue;
      // The later one takes the place of the earlier one at the end of the list.
      kept.delete(set.key);
      if (set.cookie !== null) kept.set(set.key, set.cookie);
    }
  }
  return [...kept.values()]
    .filter(({ path }) => isBelow(url.pathname, path))
    .toSorted((a, b) => b.path.length - a.path.length);
}

/**
 * @param answeredMs when the server sent it, by its own clock
 * @returns null for what is no cookie of this place; one without a cookie where it has expired
 */
function readCookie(text: string, { protocol, hostname, pathname }: URL, answeredMs: number) {
  const [pair = '', ...rest] = text.split(';').map((part) => part.trim());
  const name = pair.slice(0, Math.max(pair.indexOf('='), 0)).trim();
  if (name === '' || UNSENDABLE.test(pair)) return null;
  const attributes = new Map(
    rest.map((part): [string, string] => {
      const [attribute = '', ...value] = part.split('=');
      return [attribute.trim().toLowerCase(), value.join('=').trim()];
    }),
  );
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? '';
  if (domain !== '' && !`.${hostname}`.endsWith(`.${domain}`)) return null;
  if (attributes.has('secure') && protocol !== 'https:') return null;
  const given = attributes.get('path') ?? '';
  const path = given.startsWith('/') ? given : pathname.slice(0, Math.max(pathname.lastIndexOf('/'), 1));
  const maxAge = attributes.get('max-age') ?? '';
  const isOver = /^-?\d+$/.test(maxAge)
    ? Number(maxAge) <= 0
    : Date.parse(attributes.get('expires') ?? '') <= answeredMs;
  const cookie: Cookie = { name, value: pair.slice(pair.indexOf('=') + 1).trim(), path };
  return { key: `${name} ${path}`, cookie: isOver ? null : cookie };
}

/** Whether a cookie of this path is sent there. */
function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

/** The headers with these cookies; those of the monitor that have the same name are replaced. */
function withCookies(headers: readonly HeaderField[], cookies: readonly Cookie[]): HeaderField[] {
  const isCookie = ({ name }: HeaderField) => name.toLowerCase() === 'cookie';
  const names = new Set(cookies.map(({ name }) => name));
  const own = headers
    .filter(isCookie)
    .flatMap(({ value }) => value.split(';').map((pair) => pair.trim()))
    .filter((pair) => pair !== '' && !names.has(pair.split('=', 1)[0]!.trim()));
  const value = [...own, ...cookies.map(({ name, value: sent }) => `${name}=${sent}`)].join('; ');
  return [...headers.filter((header) => !isCookie(header)), { name: 'Cookie', value }];
}

/** Servers send UTF-8 here, against the RFC; headers are read as Latin-1. */
function decodeLocation(location: string): string {
  const utf8 = Buffer.from(location, 'latin1').toString();
  return utf8.includes('\ufffd') ? location : utf8;
}

function printable(text: string): string {
  return cutText(text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?'), 200);
}
