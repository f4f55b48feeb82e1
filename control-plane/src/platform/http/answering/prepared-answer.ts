import { HTML_POLICY } from '../security-headers.js';
import { entityTag } from '../entity-tag.js';
import { linkHeader } from './link-header.js';
import type { EventStreamAnswer } from '../event-stream.js';
import type { ApiAnswer, Route } from '../route.js';

/** An answer as it goes over the wire, but for what each request adds: it can be kept and sent again. */
export interface PreparedAnswer {
  status: number;
  headers: Record<string, string>;
  type: string | null;
  body: string | Buffer | null;
  /** The tag covers less than the body, which may change under it: a reader never gets "not modified". */
  alwaysSent?: boolean;
  /** The body of the answer that is kept for a repeated `Idempotency-Key`; default `body`. */
  keptBody?: string | Buffer | null;
  /** What follows the headers instead of a body. */
  stream?: EventStreamAnswer;
}

export interface AnswerContext {
  baseUrl: string;
  /** The request's own, as it came. */
  path: string;
  querystring: string;
  /** As parsed; on lists it has `page` and `pageSize`. */
  query: unknown;
}

/**
 * Turns what a route answered into bytes and headers.
 * @throws Error where the answer breaks the route's own declaration
 */
export function prepareAnswer(route: Route, answer: ApiAnswer, context: AnswerContext): PreparedAnswer {
  const status = statusOf(answer);
  const headers: Record<string, string> = { 'Cache-Control': cacheControlOf(route) };
  if (answer.location !== undefined) headers['Location'] = answer.location;
  if (route.list) Object.assign(headers, listHeaders(route, answer, context));
  const type = answer.body === undefined ? null : (answer.type ?? 'application/json');
  if (type === 'application/json' && status >= 200 && status < 300 && hasEntityTag(route, status)) {
    headers['ETag'] = entityTag(answer.resource ?? answer.body);
  }
  if (type?.startsWith('text/html')) headers['Content-Security-Policy'] = HTML_POLICY;
  const pages = headers['Link'];
  Object.assign(headers, route.headers, answer.headers);
  // RFC 8288 §3: a field holds several links; a route's own leave those to the pages of a list in place.
  if (pages !== undefined && headers['Link'] !== pages) headers['Link'] = `${pages}, ${headers['Link']}`;
  return {
    status,
    headers,
    type,
    body: bytesOf(answer.body, type),
    ...(answer.repeatedBody === undefined ? {} : { keptBody: bytesOf(answer.repeatedBody, type) }),
    ...(answer.resource === undefined ? {} : { alwaysSent: true }),
    ...(answer.stream ? { stream: answer.stream } : {}),
  };
}

export function statusOf(answer: ApiAnswer): number {
  return answer.status ?? (answer.body === undefined && !answer.stream ? 204 : 200);
}

function bytesOf(body: unknown, type: string | null): string | Buffer | null {
  if (type === null) return null;
  if (type === 'application/json') return JSON.stringify(body);
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  throw new TypeError(`an answer of type ${type} must be a string or a Buffer`);
}

/** Tokens and workspaces choose what is seen, so nothing is shared; a GET may be revalidated by its tag. */
function cacheControlOf(route: Route): string {
  if (route.method !== 'get') return 'no-store';
  return route.scopes === 'anonymous' ? 'no-cache' : 'private, no-cache';
}

function hasEntityTag(route: Route, status: number): boolean {
  if (route.list) return false;
  if (route.method === 'post') return status === 201;
  return route.method !== 'delete';
}

function listHeaders(route: Route, answer: ApiAnswer, context: AnswerContext): Record<string, string> {
  const { page, pageSize } = context.query as { page?: unknown; pageSize?: unknown };
  if (answer.total === undefined || typeof page !== 'number' || typeof pageSize !== 'number') {
    throw new Error(`${route.operationId} is a list: its answer needs \`total\`, its query \`page\` and \`pageSize\``);
  }
  return {
    'X-Total-Count': String(answer.total),
    Link: linkHeader({ ...context, page, pageSize, total: answer.total }),
  };
}
