import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  Server,
  type Tool as ListedTool,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Fault } from '@watchpost/shared/fault';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Context } from 'koa';
import { abortableWork, throwIfOver } from '../db/request-context.js';
import { requestState } from '../http/serving/request-state.js';
import { admit, callContext, countRequest, type EndpointDeps, recognize, takesToken } from './admission.js';
import { rpcErrorOf } from './answer-fault.js';
import { faultInParams, refuseCall, withoutTask } from './answer-message.js';
import { callTool, type CallContext } from './call-tool.js';
import type { Elicitation } from './require-consent.js';
import { CONTEXT_METHODS } from './context.js';
import { clientName } from './client-name.js';
import { answerListen, resourcesOf } from './listen.js';
import { STATELESS_VERSION } from './protocol-versions.js';
import { idOf } from './read-message.js';
import { errorResponse, RPC, RpcError } from './rpc-error.js';
import { sendMessages } from './send-messages.js';

/** Only a release changes the tools, and a client that is behind by this much misses nothing that it could call. */
const LISTS_KEEP = { ttlMs: 5 * MINUTE_MS, cacheScope: 'private' } as const;
/** What the SDK checks by itself and against the body; only these reach it. */
const CHECKED_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;
const FAULTS_OF_SDK: readonly number[] = [RPC.internalError, RPC.invalidParams];
const validator = new AjvJsonSchemaValidator();

/** The parts of a body that are looked at before the SDK has checked it: any of them may be anything. */
interface Unchecked {
  method?: unknown;
  params?: {
    name?: unknown;
    arguments?: unknown;
    cursor?: unknown;
    inputResponses?: unknown;
    requestState?: unknown;
    notifications?: unknown;
    _meta?: Record<string, unknown> | null;
  } | null;
}

/** Whether a request is of the revision without sessions, by its header or by what its body claims. */
export function isStateless(ctx: Context, body: unknown): boolean {
  return (
    ctx.get('Mcp-Protocol-Version') === STATELESS_VERSION || metaOf(body)?.[PROTOCOL_VERSION_META_KEY] !== undefined
  );
}

/**
 * Answers one request of revision 2026-07-28, which depends on no earlier one. Token and rate are checked as for all
 * revisions; the official SDK checks headers, versions and capabilities, and adds what results have since.
 */
export async function postStateless(deps: EndpointDeps, ctx: Context, body: unknown): Promise<void> {
  const { method, params } = (body ?? {}) as Unchecked;
  const followed = method === 'subscriptions/listen' ? resourcesOf(params?.notifications) : [];
  const needsToken = followed.length > 0 || takesToken(deps, method, params?.name);
  const caller = needsToken
    ? await admit(deps, ctx, [idOf(body)], false)
    : method === 'tools/list'
      ? await recognize(deps, ctx)
      : undefined;
  const refusal = await countRequest(deps, ctx, caller);
  const traceparent = metaOf(body)?.[TRACEPARENT_META_KEY];
  if (typeof traceparent === 'string' && TRACEPARENT.test(traceparent)) requestState(ctx).traceparent = traceparent;
  const context = callContext(
    deps,
    ctx,
    { version: STATELESS_VERSION, client: clientOf(body), elicitation: elicitationOf(body) },
    caller,
  );
  const handler = handlerOf(deps, context, params?.arguments, params?.cursor, refusal);
  // Where nobody waits any more, what was not begun is not done.
  abortableWork()?.beginChange();
  throwIfOver();
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of CHECKED_HEADERS) if (ctx.get(name) !== '') headers.set(name, ctx.get(name));
  const request = new Request(`${deps.origins.baseUrl}/mcp`, { method: 'POST', headers });
  const response = await handler.fetch(request, { parsedBody: body });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    if (refusal) throw refusal;
    await answerListen(deps, ctx, context, { id: idOf(body), followed, handler, response });
  } else {
    const text = withFaultOfCaller(await response.text(), body);
    sendMessages(ctx, response.status, text === '' ? [] : [text], false);
  }
}

/** A server for one request. What it needs of this request is in its closures, so nothing is kept. */
function handlerOf(
  deps: EndpointDeps,
  context: CallContext,
  args: unknown,
  cursor: unknown,
  refusal: Fault | undefined,
): McpHttpHandler {
  const { serverInfo, instructions, descriptions } = deps;
  const create = () => {
    const server = new Server(serverInfo, {
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {} },
      instructions,
      jsonSchemaValidator: validator,
      cacheHints: {
        'server/discover': LISTS_KEEP,
        'tools/list': LISTS_KEEP,
        'resources/list': LISTS_KEEP,
        'resources/templates/list': LISTS_KEEP,
        'prompts/list': LISTS_KEEP,
      },
    });
    server.setRequestHandler('tools/list', async () => {
      if (cursor === undefined)
        return { tools: (await descriptions.of(context.version, context.caller)) as ListedTool[] };
      throw new RpcError(RPC.invalidParams, 'There is no such cursor: all tools come in one answer.');
    });
    server.setRequestHandler('tools/call', ({ params: { name } }) =>
      refusal
        ? refuseCall(deps, name, refusal, context.requestId)
        : // As they came: the SDK's copy leaves out what it does not like, and the tool is to refuse that.
          callTool(deps, context, name, args ?? {}),
    );
    for (const [method, answer] of Object.entries(CONTEXT_METHODS))
      server.setRequestHandler(method as 'prompts/list', ({ params }) => {
        if (refusal) throw rpcErrorOf(refusal, context.requestId);
        return answer(deps, context, params ?? {}) as { prompts: [] };
      });
    return server;
  };
  // The heartbeat is that of all streams.
  return createMcpHandler(create, { legacy: 'reject', keepAliveMs: 0 });
}

/**
 * The SDK answers wrong parameters as an internal error, or in the words of its schemas; headers and version, which it
 * checks first, are right then. What is answered here has `data` or parameters that its schemas take.
 */
function withFaultOfCaller(text: string, body: unknown): string {
  if (!FAULTS_OF_SDK.some((code) => text.includes(String(code)))) return text;
  const { error } = JSON.parse(text) as { error?: { code: number; data?: unknown } };
  if (!error || !FAULTS_OF_SDK.includes(error.code) || error.data !== undefined) return text;
  const fault = faultInParams(withoutTask(body as JSONRPCRequest));
  return fault ? JSON.stringify(errorResponse(idOf(body), fault)) : text;
}

function metaOf(body: unknown): Record<string, unknown> | null | undefined {
  return (body as Unchecked | null)?.params?._meta;
}

function elicitationOf(body: unknown): Elicitation | null {
  const capabilities = metaOf(body)?.[CLIENT_CAPABILITIES_META_KEY] as {
    elicitation?: { url?: unknown; form?: unknown };
  };
  const { elicitation } = capabilities ?? {};
  // Neither mode is named by clients that have forms alone.
  if (!elicitation || (elicitation.url !== undefined && elicitation.form === undefined)) return null;
  const { inputResponses: responses, requestState: state } = (body as Unchecked).params!;
  return { responses, state };
}

function clientOf(body: unknown): string | null {
  const { name, version } = (metaOf(body)?.[CLIENT_INFO_META_KEY] ?? {}) as { name?: unknown; version?: unknown };
  return typeof name === 'string' && typeof version === 'string' ? clientName({ name, version }) : null;
}
