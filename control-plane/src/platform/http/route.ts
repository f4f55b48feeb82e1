import { z, type ZodObject, type ZodType, type output } from 'zod';
import type { FaultCode } from '@watchpost/shared/fault';
import type { ListPage, Rows } from '../db/database.js';
import type { EventStreamAnswer } from './event-stream.js';
import type { Actor, Caller, Role, Via } from '../identity/caller.js';
import { rowsOfPage, uuid } from './schemas.js';

/**
 * A route is described once, as data: the shell mounts it, checks token, scope, workspace, role and
 * input in that order before `handle` runs, and the OpenAPI description is made from the same object.
 */
export interface RouteSpec<Params extends ZodObject, Query extends ZodObject, Body extends ZodType> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI notation: `/api/v1/monitor/{id}`. Its parameters are UUIDs, unless `params` states otherwise. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  /** Of a route that changes something: what its calls add to the audit log, or the reason why they add nothing. */
  audits?: readonly string[] | { readonly none: string };
  tag: string;
  /** Any one of these is enough; `anonymous` needs no token. */
  scopes: readonly string[] | 'anonymous';
  /** The least role in the resolved workspace; null for routes that need no workspace. */
  role: Role | null;
  /** False where an API key may not call this, whatever its scopes; default true. */
  apiKeys?: boolean;
  /** Path parameter that names the workspace itself (`/workspaces/{id}/…`): the header is not looked at, a non-member gets 404. */
  workspaceParam?: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The largest body, bytes, where that is not 1 MiB. */
  bodyLimit?: number;
  /** For a route that reads the bytes of its body itself, because they are signed: the largest body, bytes. It states no `body`. */
  rawBodyLimit?: number;
  /** Whether the form of a page may send the body too (`application/x-www-form-urlencoded`). */
  forms?: boolean;
  /** Content types beside JSON that the answer may have. With `text/html`, `wantsPage` is true for callers that prefer it, and they get errors as documents too. */
  produces?: readonly string[];
  answers: Readonly<Record<number, { description: string; schema?: ZodType; example?: unknown }>>;
  /** A GET that answers with an event stream (`text/event-stream`), which has no end, no deadline and no `ETag`. */
  isStream?: boolean;
  /** A list: the answer carries `X-Total-Count` and `Link`; `page` and `pageSize` are in its query. */
  list?: boolean;
  /** Sent with every answer, such as `Deprecation`. */
  headers?: Readonly<Record<string, string>>;
  deprecated?: boolean;
  /** Fault codes that the verb behind this route may answer, beyond those of the shell itself: for the description. */
  faults?: readonly FaultCode[];
  /** How long an answer may take, ms, where that is more than what all others have (30 s). */
  deadlineMs?: number;
  /** Does not count towards the principal's rate limit and is logged at debug level only: health checks. */
  quiet?: boolean;
  /** For a page: its address is found with a slash at the end too, which `path` of the request then has. */
  takesSlash?: boolean;
  /** The path holds a credential: logs show the template in its place. */
  secretPath?: boolean;
}

export interface ApiRequest<Params, Query, Body> {
  /** The path as it came; it is that of the route for a caller that has none. */
  path: string;
  params: Params;
  query: Query;
  body: Body;
  /** Set where the route states `rawBodyLimit`. */
  rawBody: Buffer;
  /** Set unless the route is anonymous. */
  caller: Caller;
  /** Set where the route has a role. */
  actor: Actor;
  /** For the audit log. */
  via: Via;
  requestId: string;
  /** Whether the caller would rather have a page than JSON, which only a route that produces `text/html` is asked. */
  wantsPage: boolean;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The peer's address, or the one that a trusted proxy names. */
  remoteAddress: string;
  /**
   * Throws the fault `precondition_failed` unless `If-Match` is absent or names the ETag of `current`,
   * which is what a GET of the resource would answer now. Call it inside the transaction that writes.
   */
  checkPrecondition(current: unknown): void;
}

export interface ApiAnswer {
  /** Default: 200, or 204 where there is no body. */
  status?: number;
  body?: unknown;
  /** For 201. */
  location?: string;
  /** For lists: how many there are in all. */
  total?: number;
  headers?: Readonly<Record<string, string>>;
  /** In place of `body`, where the route is declared with `isStream`. */
  stream?: EventStreamAnswer;
  /** Default `application/json`; anything else sends `body`, a string or Buffer, unchanged. */
  type?: string;
  /**
   * What the `ETag` covers, where that is not `body`: the body shows a secret once, or holds what changes
   * by itself. `checkPrecondition` is given the same. With it, a GET never answers 304.
   */
  resource?: unknown;
  /** What a repeated `Idempotency-Key` gets in place of `body`, where that shows a secret which is kept nowhere. */
  repeatedBody?: unknown;
}

export interface Route extends RouteSpec<ZodObject, ZodObject, ZodType> {
  handle(request: ApiRequest<unknown, unknown, unknown>): Promise<ApiAnswer>;
}

type Parsed<Schema> = Schema extends ZodType ? output<Schema> : Record<string, never>;

/** The work of a route: `run` where the answer is what it returns, `handle` where the answer has more. */
type Work<Request> =
  | {
      /** @returns the body, undefined where there is none; of a list its page. @param rows of a list */
      run(request: Request, rows: Rows): Promise<unknown>;
      handle?: never;
    }
  | { handle(request: Request): Promise<ApiAnswer>; run?: never };

export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Own in Name]: string } & PathParams<Rest>
  : unknown;

/** Declares a route; the types of `request` follow from its path and schemas. */
export function route<
  const Path extends string,
  Params extends ZodObject | undefined = undefined,
  Query extends ZodObject = ZodObject<Record<string, never>>,
  Body extends ZodType = ZodObject<Record<string, never>>,
>(
  spec: Omit<RouteSpec<ZodObject, Query, Body>, 'params'> & { path: Path; params?: Params } & Work<
      ApiRequest<Params extends ZodObject ? output<Params> : PathParams<Path>, Parsed<Query>, Parsed<Body>>
    >,
): Route {
  const { run, ...given } = spec;
  const params = spec.params ?? paramsOf(spec.path);
  const handled = { ...given, ...(params && { params }) };
  if (!run) return handled as unknown as Route;
  return {
    ...handled,
    async handle(request) {
      const found = await run(request as never, rowsOfPage(request.query as { page: number; pageSize: number }));
      if (!spec.list) return found === undefined ? { status: 204 } : { body: found };
      const { items, total } = found as ListPage<unknown>;
      return { body: items, total };
    },
  };
}

function paramsOf(path: string): ZodObject | undefined {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  return names.length === 0 ? undefined : z.strictObject(Object.fromEntries(names.map((name) => [name, uuid])));
}
