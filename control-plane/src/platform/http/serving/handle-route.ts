import type { Context, Middleware } from 'koa';
import type { ZodType } from 'zod';
import { Fault, FAULT_STATUS, invalidField, notFound } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import { abortableWork } from '../../db/request-context.js';
import { inSlices } from '../../jobs/in-slices.js';
import type { Caller, WorkspaceAccess } from '../../identity/caller.js';
import { answerOnce, fingerprintOf } from './answer-once.js';
import { readSyntax } from '@watchpost/shared/assertions/syntax';
import { canonicalJson } from '@watchpost/shared/canonical-json';
import type { Gatekeeper } from './gatekeeper.js';
import type { HttpOptions } from '../http-options.js';
import { answerRefusal } from '../answering/answer-errors.js';
import { faultOf } from '../answering/on-error.js';
import { prepareAnswer, statusOf, type PreparedAnswer } from '../answering/prepared-answer.js';
import { readBody } from '../reading/read-body.js';
import { readNamedWorkspace } from '../reading/read-credentials.js';
import { inputReader } from '../reading/read-input.js';
import { readJson } from '../reading/read-json.js';
import { withDeadline } from './request-deadline.js';
import { noteCaller, requestState } from './request-state.js';
import type { ApiAnswer, ApiRequest, Route } from '../route.js';
import { requireRole, requireScope } from '../require-access.js';
import { sendAnswer } from '../answering/send-answer.js';
import { sendStream } from '../answering/send-stream.js';
import { EVENT_STREAM } from '../event-stream.js';
import { ServedRequest } from './served-request.js';

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
const DEFAULT_DEADLINE_MS = 30_000;

export interface RouteDeps extends HttpOptions {
  gatekeeper: Gatekeeper;
}

interface Admitted {
  /** Undefined on anonymous routes. */
  caller: Caller | undefined;
  /** Undefined on routes without a role. */
  workspace: WorkspaceAccess | undefined;
}

/** Makes the middleware of one route: checks in the order of the interface, then the route itself, then the answer. */
export function routeHandler(route: Route, deps: RouteDeps): Middleware {
  const readInput = inputReader(route);
  const scopes = route.scopes === 'anonymous' ? [] : route.scopes;
  const accepted = route.isStream ? [EVENT_STREAM] : ['application/json', ...(route.produces ?? [])];
  const bodyTypes = { mergePatch: route.method === 'patch', forms: route.forms === true, limit: route.bodyLimit };
  const fixedHeaders = Object.entries(route.headers ?? {});
  const deadlineMs = route.deadlineMs ?? deps.deadlineMs ?? DEFAULT_DEADLINE_MS;

  /** Who calls, and in which workspace. @param again the workspace of a request that was admitted before */
  async function admit(ctx: Context, again?: string): Promise<Admitted> {
    const state = requestState(ctx);
    const isUncounted = route.quiet === true || again !== undefined;
    // A stream is opened again and again by a page that nobody looks at.
    const isUse = !isUncounted && route.isStream !== true;
    const caller =
      route.scopes === 'anonymous' ? undefined : await deps.gatekeeper.admitWithCookie(ctx, isUncounted, isUse);
    if (caller) noteCaller(state, caller);
    if (caller?.credential.type === 'apiKey' && route.apiKeys === false) {
      throw new Fault('insufficient_scope', 'No API key may do this, whatever its scopes: sign in and use that token.');
    }
    if (caller) requireScope(caller.scopes, scopes);
    const workspace =
      caller &&
      (again === undefined
        ? await resolveWorkspace(ctx, route, caller, deps)
        : await deps.resolveWorkspace(caller, { pathId: again, isRepeat: true }));
    if (workspace) {
      state.workspaceId = workspace.workspaceId;
      if (!isUncounted) await deps.gatekeeper.countForOwner(ctx, workspace.ownerId);
      if (route.role) requireRole(workspace.role, route.role);
    }
    return { caller, workspace };
  }

  async function answer(ctx: Context, type: string | false): Promise<PreparedAnswer> {
    const { caller, workspace } = await admit(ctx);
    if (type === false) {
      throw new Fault('not_acceptable', `This can be answered as ${accepted.join(' or ')}; accept one of these.`);
    }
    const key = route.method === 'post' && caller ? readIdempotencyKey(ctx) : undefined;
    const closeAfter = () => ctx.set('Connection', 'close');
    const body = route.body ? await readJson(ctx.req, bodyTypes, closeAfter) : undefined;
    await readSyntax(body, inSlices());
    const { rawBodyLimit } = route;
    const bytes = rawBodyLimit === undefined ? undefined : await readBody(ctx.req, closeAfter, rawBodyLimit);
    const input = readInput({ params: ctx['params'] as Record<string, string>, querystring: ctx.querystring, body });
    const request = new ServedRequest(ctx, input, caller, workspace, bytes);
    abortableWork()?.beginChange();
    if (key === undefined || !caller) return handle(ctx, route, request, deps);
    const scope = {
      principalId: caller.userId,
      workspaceId: workspace?.workspaceId ?? null,
      operation: route.operationId,
      key,
    };
    const fingerprint = fingerprintOf(`${ctx.path}?${ctx.querystring}`, body === undefined ? '' : canonicalJson(body));
    return answerOnce(deps, scope, fingerprint, () => handleFaults(ctx, deps, () => handle(ctx, route, request, deps)));
  }

  return async (ctx) => {
    const state = requestState(ctx);
    state.route = route.path;
    state.quiet = route.quiet === true;
    state.secretPath = route.secretPath === true;
    state.scopes = scopes;
    const type = preferredType(ctx, accepted);
    state.wantsPage = type === 'text/html';
    for (const [name, value] of fixedHeaders) ctx.set(name, value);
    const prepared = await withDeadline(ctx.res, deadlineMs, () => answer(ctx, type));
    if (prepared.stream) sendStream(ctx, prepared, prepared.stream, () => admit(ctx, state.workspaceId));
    else sendAnswer(ctx, prepared);
  };
}

async function handle(
  ctx: Context,
  route: Route,
  request: ApiRequest<unknown, unknown, unknown>,
  deps: RouteDeps,
): Promise<PreparedAnswer> {
  const answer = await route.handle(request);
  if (deps.checkAnswers) requireDeclared(route, answer);
  const prepared = prepareAnswer(route, answer, {
    baseUrl: deps.config.baseUrl,
    path: ctx.path,
    querystring: ctx.querystring,
    query: request.query,
  });
  const { body } = prepared;
  const { workspaceId = null } = requestState(ctx);
  return typeof body === 'string' && prepared.type?.includes('json')
    ? { ...prepared, body: await deps.nameCodes(workspaceId, body) }
    : prepared;
}

/** A refusal is an answer too, and is given again for the same key; what is our fault goes on being thrown. */
async function handleFaults(
  ctx: Context,
  deps: RouteDeps,
  work: () => Promise<PreparedAnswer>,
): Promise<PreparedAnswer> {
  try {
    return await work();
  } catch (error) {
    const fault = faultOf(error);
    if (FAULT_STATUS[fault.code] >= 500) throw error;
    return answerRefusal(ctx, fault, deps.config.baseUrl);
  }
}

async function resolveWorkspace(
  ctx: Context,
  route: Route,
  caller: Caller,
  deps: RouteDeps,
): Promise<WorkspaceAccess | undefined> {
  if (route.workspaceParam !== undefined) {
    const pathId = (ctx['params'] as Record<string, string>)[route.workspaceParam] ?? '';
    if (!isUuid(pathId)) throw notFound('workspace');
    return deps.resolveWorkspace(caller, { pathId: pathId.toLowerCase() });
  }
  return route.role === null ? undefined : deps.resolveWorkspace(caller, readNamedWorkspace(ctx.req));
}

/** What the caller likes best of what there is (RFC 9110 §12.5.1); JSON for who has no wish, false where nothing will do. */
function preferredType(ctx: Context, types: string[]): string | false {
  const accept = ctx.req.headers.accept;
  return accept === undefined || accept === '*/*' ? types[0]! : ctx.accepts(types);
}

function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.req.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidField('Idempotency-Key', 'must have 1 to 255 printable ASCII characters');
}

function requireDeclared(route: Route, answer: ApiAnswer): void {
  const status = statusOf(answer);
  const declared = route.answers[status];
  if (!declared) throw new Error(`${route.operationId} answered ${status}, which it does not declare`);
  if (answer.type === undefined && answer.body !== undefined && declared.schema)
    parseAsSent(declared.schema, answer.body);
}

function parseAsSent(schema: ZodType, body: unknown): void {
  const result = schema.safeParse(JSON.parse(JSON.stringify(body)));
  if (!result.success) throw new Error(`the answer is not what its schema declares: ${result.error.message}`);
}
