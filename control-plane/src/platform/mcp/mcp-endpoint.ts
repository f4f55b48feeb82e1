import type { Context, Middleware } from 'koa';
import { Fault } from '@watchpost/shared/fault';
import { addressBlock } from '../http/remote-address.js';
import { readJson } from '../http/reading/read-json.js';
import { abortableWork, throwIfOver } from '../db/request-context.js';
import { withDeadline } from '../http/serving/request-deadline.js';
import { requestState } from '../http/serving/request-state.js';
import {
  admit,
  callContext,
  countRequest,
  countStranger,
  type EndpointDeps,
  recognize,
  takesToken,
} from './admission.js';
import { answerMessage, refuseMessage } from './answer-message.js';
import { clientName } from './client-name.js';
import { decideOrigin } from './decide-origin.js';
import { PROTOCOL_VERSIONS, takesBatches, DEFAULT_VERSION, STATELESS_VERSION } from './protocol-versions.js';
import { type IncomingMessage, readMessage } from './read-message.js';
import { type RequestId, RPC } from './rpc-error.js';
import { acceptsAnswer, Refusal, sendMessages, sendRefusal } from './send-messages.js';
import type { Session } from './sessions.js';
import { isStateless, postStateless } from './serve-stateless.js';

const METHODS = 'DELETE, GET, OPTIONS, POST';
const DEADLINE_MS = 30_000;
/** More messages than this in one request are a mistake, or an attack. */
const MOST_IN_BATCH = 50;

/** MCP over streamable HTTP at `/mcp`; passes on what is for another path. */
export function mcpEndpoint(deps: EndpointDeps): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/mcp') {
      await next();
      return;
    }
    requestState(ctx).route = '/mcp';
    try {
      await withDeadline(ctx.res, DEADLINE_MS, () => serve(deps, ctx));
    } catch (error) {
      sendRefusal(ctx, error, deps);
    }
  };
}

async function serve(deps: EndpointDeps, ctx: Context): Promise<void> {
  const { origin, host } = ctx.req.headers;
  if (decideOrigin({ origin, host }, deps.origins) === 'foreign')
    throw new Refusal(403, RPC.refused, 'Web pages of this origin may not call here (CORS_ORIGINS).');
  const isPost = ctx.method === 'POST' || ctx.method === 'OPTIONS';
  if (!isPost && ctx.get('Mcp-Protocol-Version') === STATELESS_VERSION) {
    ctx.set('Allow', 'OPTIONS, POST');
    throw new Fault('method_not_allowed', `Protocol ${STATELESS_VERSION} has no sessions; this path takes POST.`);
  }
  switch (ctx.method) {
    case 'POST':
      return post(deps, ctx);
    case 'GET':
      return get(deps, ctx);
    case 'DELETE':
      return end(deps, ctx);
    default:
      ctx.set('Allow', METHODS);
      if (ctx.method !== 'OPTIONS') throw new Fault('method_not_allowed', `This path takes ${METHODS}.`);
      ctx.status = 204;
  }
}

interface ReadRequest {
  messages: IncomingMessage[];
  isBatch: boolean;
  session: Session | undefined;
  version: string;
}

/** @throws Fault not_acceptable, invalid_json and what a body can be refused for */
async function readBody(ctx: Context): Promise<unknown> {
  if (!acceptsAnswer(ctx))
    throw new Fault('not_acceptable', 'Answers are application/json or text/event-stream; accept one of these.');
  const body = await readJson(ctx.req, { mergePatch: false, forms: false }, () => ctx.set('Connection', 'close'));
  if (body === undefined) throw new Fault('invalid_json', 'Send a JSON-RPC message as the body.');
  return body;
}

/** @throws Refusal where the request is refused as a whole */
async function readRequest(deps: EndpointDeps, ctx: Context, body: unknown): Promise<ReadRequest> {
  const isInitialize = (value: unknown) => (value as { method?: unknown } | null)?.method === 'initialize';
  // It begins a session, so the header of an older one does not matter.
  const session = isInitialize(body) ? undefined : await namedSession(deps, ctx, false);
  const version = session?.version ?? namedVersion(ctx) ?? DEFAULT_VERSION;
  requireTakable(body, version, isInitialize);
  const isBatch = Array.isArray(body);
  return { messages: (isBatch ? (body as unknown[]) : [body]).map(readMessage), isBatch, session, version };
}

async function post(deps: EndpointDeps, ctx: Context): Promise<void> {
  const counted = async (error: unknown): Promise<never> => {
    await countStranger(deps, ctx);
    throw error;
  };
  const body = await readBody(ctx).catch(counted);
  if (isStateless(ctx, body)) return postStateless(deps, ctx, body);
  const { messages, isBatch, session, version } = await readRequest(deps, ctx, body).catch(counted);
  const needsToken = messages.some(
    (message) =>
      message.kind === 'request' && takesToken(deps, message.request.method, message.request.params?.['name']),
  );
  const isListing = messages.some((message) => message.kind === 'request' && message.request.method === 'tools/list');
  const caller = needsToken
    ? await admit(deps, ctx, idsOf(messages), isBatch)
    : isListing
      ? await recognize(deps, ctx)
      : undefined;
  // Each of its requests counts below; without any, the body itself does.
  if (!messages.some(({ kind }) => kind === 'request')) await countStranger(deps, ctx);
  const context = callContext(deps, ctx, { version, client: session?.client ?? null, elicitation: null }, caller);
  const answers: string[] = [];
  // In order: of two messages of one batch, the second may be about what the first did.
  for (const message of messages) {
    // Where nobody waits any more, what was not begun is not done.
    abortableWork()?.beginChange();
    throwIfOver();
    if (message.kind === 'invalid') answers.push(JSON.stringify(message.answer));
    if (message.kind !== 'request') continue;
    const refusal = await countRequest(deps, ctx, caller);
    const answer = refusal
      ? refuseMessage(deps, message.request, refusal, context.requestId)
      : await answerMessage(deps, message.request, context);
    if (message.request.method === 'initialize') beginSession(deps, ctx, message.request.params, answer);
    answers.push(answer);
  }
  const isRefused = answers.length > 0 && messages.every(({ kind }) => kind === 'invalid');
  sendMessages(ctx, isRefused ? 400 : 200, answers, isBatch);
}

function idsOf(messages: readonly IncomingMessage[]): RequestId[] {
  return messages.flatMap((message) => (message.kind === 'request' ? [message.request.id] : []));
}

function requireTakable(body: unknown, version: string, isInitialize: (value: unknown) => boolean): void {
  if (!Array.isArray(body)) return;
  const refuse = (message: string) => new Refusal(400, RPC.invalidRequest, message);
  if (!takesBatches(version)) throw refuse(`Protocol ${version} takes one message a request.`);
  if (body.length === 0) throw refuse('A batch has at least one message.');
  if (body.length > MOST_IN_BATCH) throw refuse(`A batch has at most ${MOST_IN_BATCH} messages.`);
  if (body.some(isInitialize)) throw refuse('`initialize` comes in a request of its own.');
}

function beginSession(deps: EndpointDeps, ctx: Context, params: unknown, answer: string): void {
  const { result } = JSON.parse(answer) as { result?: { protocolVersion: string } };
  if (!result) return;
  const { clientInfo } = params as { clientInfo: { name: string; version: string } };
  ctx.set('Mcp-Session-Id', deps.sessions.open(result.protocolVersion, clientName(clientInfo)));
}

async function get(deps: EndpointDeps, ctx: Context): Promise<void> {
  if (ctx.accepts('text/event-stream') === false)
    throw new Fault('not_acceptable', 'This is answered as text/event-stream; accept that.');
  await countStranger(deps, ctx);
  const session = await namedSession(deps, ctx, true);
  deps.streams.open(session.id, addressBlock(requestState(ctx).remoteAddress), ctx.res);
  ctx.respond = false;
}

async function end(deps: EndpointDeps, ctx: Context): Promise<void> {
  await countStranger(deps, ctx);
  const session = await deps.sessions.end(sessionHeader(ctx, true));
  if (!session) throw unknownSession();
  deps.streams.end(session.id);
  ctx.status = 204;
}

function namedSession(deps: EndpointDeps, ctx: Context, required: true): Promise<Session>;
function namedSession(deps: EndpointDeps, ctx: Context, required: false): Promise<Session | undefined>;
async function namedSession(deps: EndpointDeps, ctx: Context, required: boolean): Promise<Session | undefined> {
  namedVersion(ctx);
  const id = sessionHeader(ctx, required);
  if (id === undefined) return undefined;
  const session = await deps.sessions.find(id);
  if (!session) throw unknownSession();
  return session;
}

function sessionHeader(ctx: Context, required: true): string;
function sessionHeader(ctx: Context, required: boolean): string | undefined;
function sessionHeader(ctx: Context, required: boolean): string | undefined {
  const id = ctx.get('Mcp-Session-Id');
  if (id !== '') return id;
  if (required) throw new Refusal(400, RPC.refused, 'Send the `Mcp-Session-Id` that `initialize` was answered with.');
  return undefined;
}

function unknownSession(): Refusal {
  return new Refusal(404, RPC.refused, 'There is no such session: begin one with `initialize`, without this header.');
}

/** @throws Refusal for a version that is not spoken here */
function namedVersion(ctx: Context): string | undefined {
  const version = ctx.get('Mcp-Protocol-Version');
  if (version === '') return undefined;
  if (PROTOCOL_VERSIONS.includes(version)) return version;
  throw new Refusal(
    400,
    RPC.refused,
    `Protocol versions here are ${[STATELESS_VERSION, ...PROTOCOL_VERSIONS].join(', ')}; \`Mcp-Protocol-Version\` names another one.`,
  );
}
