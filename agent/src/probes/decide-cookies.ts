import type { HttpTarget } from '@watchpost/shared/checks/http';
import type { Header } from '@watchpost/shared/secrets/secret-values';
import { valuesOf, type AnswerHead } from './answer-head.js';
import { prepareRequest, type HttpRequest, type RequestParts } from './request-head.js';

/** A name or value with such a character breaks a header, or cannot be sent in Latin-1. */
const UNSENDABLE = /[^ -~\x80-\xff]/;
/** A server without a clock states no date. Those that remove a cookie let it expire at the beginning of time. */
const NO_DATE = '1970-01-02T00:00:00Z';

/** The characters of cookies that a run keeps: four times what servers accept in a request. Every request reads them again. */
const MOST_KEPT = 64 * 1024;
/** The work that a line counts for by itself. */
const PER_LINE = 32;

export interface ChainAnswer {
  url: string;
  head: AnswerHead;
}

/** Encodes a request with the cookies of the answers so far. Its headers stay those of the monitor: what follows has cookies of its own. */
export function prepareWithCookies(
  { cookies }: Pick<HttpTarget, 'cookies'>,
  parts: RequestParts,
  answers: readonly ChainAnswer[],
  userAgent: string,
  connectTo: HttpTarget['connectTo'],
): HttpRequest {
  const { headers } = parts;
  const sent = cookies === 'none' ? headers : withCookies(headers, parts.url, answers);
  return { ...prepareRequest({ ...parts, headers: sent }, userAgent, connectTo), headers };
}

/**
 * The headers with the cookies that the answers so far have set for this URL; those of the monitor that have the same name are
 * replaced.
 */
function withCookies(headers: readonly Header[], url: URL, answers: readonly ChainAnswer[]): readonly Header[] {
  const cookies = cookiesFor(url, answers);
  if (cookies.length === 0) return headers;
  const isCookie = ({ name }: Header) => name.toLowerCase() === 'cookie';
  const names = new Set(cookies.map(({ name }) => name));
  const own = headers
    .filter(isCookie)
    .flatMap(({ value }) => value.split(';').map((pair) => pair.trim()))
    .filter((pair) => pair !== '' && !names.has(pair.split('=', 1)[0]!.trim()));
  const value = [...own, ...cookies.map(({ name, value: sent }) => `${name}=${sent}`)].join('; ');
  return [...headers.filter((header) => !isCookie(header)), { name: 'Cookie', value }];
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** The cookies that answers of the URL's own origin have set for it (RFC 6265). Another origin gets none of them. */
export function cookiesFor(url: URL, answers: readonly ChainAnswer[]): Cookie[] {
  const kept = new Map<string, Cookie>();
  for (const { url: from, head } of answers) {
    const source = new URL(from);
    if (source.origin !== url.origin) continue;
    const answeredMs = Date.parse(valuesOf(head, 'date')[0] ?? NO_DATE);
    for (const text of valuesOf(head, 'set-cookie')) {
      const set = readCookie(text, source, answeredMs);
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

/** A run keeps this of its answers: the lines that set cookies, and the date; of too many, the latest. */
export function cookieAnswers(answers: readonly ChainAnswer[]): ChainAnswer[] {
  let left = MOST_KEPT;
  const kept: ChainAnswer[] = [];
  for (const { url, head } of answers.toReversed()) {
    const lines = valuesOf(head, 'set-cookie');
    left -= lines.reduce((sum, { length }) => sum + length + PER_LINE, 0);
    if (left < 0) break;
    if (lines.length === 0) continue;
    const headers = lines.flatMap((line) => ['set-cookie', line]);
    const date = valuesOf(head, 'date')
      .slice(0, 1)
      .flatMap((line) => ['date', line]);
    kept.push({ url, head: { statusCode: head.statusCode, headers: [...date, ...headers] } });
  }
  return kept.reverse();
}

/** Decides whether a cookie of this path is sent there. */
function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
