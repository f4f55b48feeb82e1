import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import type { Header } from '@watchpost/shared/secrets/secret-values';
import { authorizationOf } from '@watchpost/shared/secrets/sent-secrets';
import { ProbeFault } from './probe-fault.js';
import { placeAt, type Place } from './place.js';

export interface RequestParts {
  url: URL;
  method: string;
  headers: readonly Header[];
  body: Buffer | null;
}

/** The place to which requests to the origin of a target are sent instead; null: they go to the origin. */
type ConnectTo = HttpTarget['connectTo'];

/** One encoded request of a redirect chain. */
export interface HttpRequest {
  readonly href: string;
  readonly secure: boolean;
  /** Without brackets. */
  readonly host: string;
  /** It is sent there. */
  readonly place: Place;
  readonly method: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
  /** Everything up to the empty line, as it is sent, in Latin-1. */
  readonly head: string;
  /** It asks that the connection stays open, for a request that signs in after a 401. */
  readonly keepsOpen?: true;
  /** Its parts with values that are secrets, which no other origin gets: `body`, or the lower-case name of a header. */
  readonly secretParts?: ReadonlySet<string> | undefined;
}

/** Headers of framing and connection, which the probe sets itself; a value of a monitor could only break them. */
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Methods whose requests carry a length even without a body (RFC 9110 §8.6). */
const WITH_CONTENT = new Set(['POST', 'PUT', 'PATCH']);

/**
 * The first request of a check, or why it can never be sent. Anything that could break out of its line is refused here,
 * whatever was validated before.
 */
export function firstRequest(
  target: Pick<HttpTarget, 'url' | 'method' | 'headers' | 'body' | 'connectTo'> & Partial<Pick<HttpTarget, 'auth'>>,
  userAgent: string,
): HttpRequest | ProbeFault {
  const invalid = (why: string): ProbeFault => new ProbeFault('invalid_target', { why });
  let url: URL;
  try {
    url = new URL(target.url);
  } catch {
    return invalid('its URL cannot be read');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return invalid(`its URL is not http or https, but ${url.protocol.slice(0, -1)}`);
  if (url.username !== '' || url.password !== '') return invalid('its URL contains credentials');
  const method = target.method.toUpperCase();
  if (!TOKEN.test(method) || method === 'CONNECT') return invalid('its method cannot be used for a web page');
  for (const { name, value } of target.headers) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      return invalid(
        `its header “${name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 100)}” has characters that are not allowed in a header`,
      );
    }
  }
  const headers = [...target.headers, ...authorizationOf(target.auth)];
  return prepareRequest(
    { url, method, headers, body: target.body === null ? null : Buffer.from(target.body) },
    userAgent,
    target.connectTo,
  );
}

export function prepareRequest(parts: RequestParts, userAgent: string, connectTo: ConnectTo): HttpRequest {
  const { url, method, headers, body } = parts;
  const secure = url.protocol === 'https:';
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const place = connectTo ?? { host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port) };
  return {
    href: url.href,
    secure,
    host,
    place: placeAt(place.host, place.port),
    method,
    headers,
    body,
    head: requestHead(parts, userAgent),
  };
}

function requestHead({ url, method, headers, body }: RequestParts, userAgent: string): string {
  const given = headers.filter(({ name }) => !RESERVED.has(name.toLowerCase()));
  const lines = given.map(({ name, value }) => `${name}: ${value}`);
  const unless = (name: string, value: string): string[] =>
    given.some((header) => header.name.toLowerCase() === name.toLowerCase()) ? [] : [`${name}: ${value}`];
  return [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    // RFC 9112 §3.2: Host comes first.
    ...unless('Host', url.host),
    ...lines,
    ...unless('User-Agent', userAgent),
    ...unless('Accept', '*/*'),
    ...unless('Accept-Encoding', 'gzip, deflate, br'),
    ...(body === null && !WITH_CONTENT.has(method) ? [] : [`Content-Length: ${body?.length ?? 0}`]),
    'Connection: close',
    '\r\n',
  ].join('\r\n');
}
