import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ProbeFault } from './probe-fault.js';

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** One request of a chain, before it is put on the wire. */
export interface HttpRequest {
  url: URL;
  method: string;
  headers: readonly HeaderField[];
  body: Buffer | null;
}

/** How a message is framed and a connection kept is ours to say: a customer's value could only break it. */
const OURS = new Set(['connection', 'content-length', 'expect', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Methods whose requests carry a length even without a body (RFC 9110 §8.6). */
const WITH_CONTENT = new Set(['POST', 'PUT', 'PATCH']);

/**
 * The first request of a check, or why it can never be sent. Everything that could break out of its line
 * is refused here too, whatever has been checked before.
 */
export function firstRequest(target: { url: string; method: string; headers: readonly HeaderField[]; body: string | null }): HttpRequest | ProbeFault {
  const url = URL.canParse(target.url) ? new URL(target.url) : null;
  const invalid = (why: string): ProbeFault => new ProbeFault('invalid_target', { why });
  if (url === null) return invalid('its URL cannot be read');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return invalid(`its URL is not http or https, but ${url.protocol.slice(0, -1)}`);
  if (url.username !== '' || url.password !== '') return invalid('its URL contains credentials');
  const method = target.method.toUpperCase();
  if (!TOKEN.test(method) || method === 'CONNECT') return invalid('its method is not one for a web page');
  for (const { name, value } of target.headers) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      return invalid(`its header “${name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 100)}” has characters that no header may have`);
    }
  }
  return { url, method, headers: target.headers, body: target.body === null ? null : Buffer.from(target.body) };
}

/** Names and values in turn, exactly as they go on the wire. */
export function wireHeaders(request: HttpRequest, userAgent: string): string[] {
  const wire: string[] = [];
  const named = new Set<string>();
  for (const { name, value } of request.headers) {
    const key = name.toLowerCase();
    if (OURS.has(key)) continue;
    named.add(key);
    wire.push(name, value);
  }
  // RFC 9112 §3.2: Host comes first.
  if (!named.has('host')) wire.unshift('Host', request.url.host);
  if (!named.has('user-agent')) wire.push('User-Agent', userAgent);
  if (!named.has('accept')) wire.push('Accept', '*/*');
  if (!named.has('accept-encoding')) wire.push('Accept-Encoding', 'gzip, deflate, br');
  if (request.body !== null) wire.push('Content-Length', String(request.body.length));
  else if (WITH_CONTENT.has(request.method)) wire.push('Content-Length', '0');
  wire.push('Connection', 'close');
  return wire;
}
