import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { Fault } from '@watchpost/shared/fault';
import type { Context } from 'koa';
import { sendStream } from '../http/answering/send-stream.js';
import type { EventSink, EventStreamAnswer, StreamEnd } from '../http/event-stream.js';
import { addressBlock } from '../http/remote-address.js';
import { requestState } from '../http/serving/request-state.js';
import type { EndpointDeps } from './admission.js';
import { rpcErrorOf } from './answer-fault.js';
import { type CallContext, requireToolRole, requireToolScope } from './call-tool.js';
import { callOf, OPEN_INCIDENTS } from './context.js';
import { errorResponse, type RequestId, RPC, RpcError } from './rpc-error.js';
import { sendMessages } from './send-messages.js';
import type { MemberAccess } from './tool.js';

const MOST_FOLLOWED = 100;
/** One event of the streams of REST: its kind, and the object as JSON. */
const EVENT = /^event: (\w+)\ndata: (.+)$/gm;

interface Listening {
  id: RequestId | null;
  followed: readonly unknown[];
  handler: McpHttpHandler;
  /** The SDK's answer, which goes on until either side ends it. */
  response: Response;
}

/** The resources in a filter of `subscriptions/listen`, which may be anything. */
export function resourcesOf(filter: unknown): readonly unknown[] {
  const asked = (filter as { resourceSubscriptions?: unknown } | null | undefined)?.resourceSubscriptions;
  return Array.isArray(asked) ? asked : [];
}

/** The answer to `subscriptions/listen`: changes of the tools for everybody, those of resources for who may read them. */
export async function answerListen(
  deps: EndpointDeps,
  ctx: Context,
  context: CallContext,
  listening: Listening,
): Promise<void> {
  const { id, followed, handler } = listening;
  try {
    if (followed.length === 0) listenToTools(deps, ctx, listening);
    else await followResources(deps, ctx, context, listening);
  } catch (error) {
    void handler.close();
    const { requestId } = context;
    const known = error instanceof Fault ? rpcErrorOf(error, requestId) : error;
    if (!(known instanceof RpcError) || ctx.res.headersSent) throw error;
    sendMessages(ctx, 200, [JSON.stringify(errorResponse(id, known))], false);
  }
}

function listenToTools({ streams }: EndpointDeps, ctx: Context, { handler, response }: Listening): void {
  const { requestId, remoteAddress } = requestState(ctx);
  streams.open(requestId, addressBlock(remoteAddress), ctx.res, () => void handler.close());
  ctx.respond = false;
  requestState(ctx).isStream = true;
  Readable.fromWeb(response.body as ReadableStream).pipe(ctx.res);
}

/** Sends the event stream that REST has for the workspace, as updates of resources, for as long as the caller may read them. */
async function followResources(
  deps: EndpointDeps,
  ctx: Context,
  context: CallContext,
  { followed, handler, response }: Listening,
): Promise<void> {
  const caller = context.caller!;
  const accesses = accessesOf(deps, followed);
  for (const access of accesses) requireToolScope(access, caller);
  const workspace = await context.resolveWorkspace(caller);
  for (const access of accesses) requireToolRole(access, workspace);
  await deps.requireFeature(workspace.workspaceId, 'mcpRead');
  const events = await deps.followEvents(caller, workspace);
  let ended: StreamEnd = 'server';
  const stream: EventStreamAnswer = {
    open(sink) {
      void send(response, sink, () => ended);
      events.open({
        write: (text) => {
          for (const uri of changedBy(text, followed)) handler.notify.resourceUpdated(uri);
        },
        end: (reason) => {
          ended = reason;
          void handler.close();
        },
      });
    },
    heartbeat: () => '',
    closed(reason) {
      events.closed(reason);
      void handler.close();
    },
  };
  sendStream(ctx, { status: 200, headers: {}, type: null, body: null }, stream, async () => {
    const again = await deps.gatekeeper.admit(ctx, true);
    const there = await deps.resolveWorkspace(again, workspace.workspaceId, true);
    for (const access of accesses) {
      requireToolScope(access, again);
      requireToolRole(access, there);
    }
    await deps.requireFeature(there.workspaceId, 'mcpRead');
  });
}

/** Names what reading these resources needs, each once. @throws RpcError */
function accessesOf({ tools }: EndpointDeps, followed: readonly unknown[]): readonly MemberAccess[] {
  if (followed.length > MOST_FOLLOWED)
    throw new RpcError(RPC.invalidParams, `A subscription names at most ${MOST_FOLLOWED} resources.`);
  const names = new Set(
    followed.map((uri) => {
      try {
        return callOf(uri).tool;
      } catch {
        throw new RpcError(RPC.invalidParams, 'A subscription names a resource that there cannot be.');
      }
    }),
  );
  return [...names].map((name) => tools.get(name)!.access as MemberAccess);
}

/** The resources that events are about; all that are followed where the client has to read everything again. */
function changedBy(text: string, followed: readonly unknown[]): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const [, kind, data] of text.matchAll(EVENT)) {
    if (kind === 'reset') return new Set(followed as string[]);
    const { id } = JSON.parse(data!) as { id: string };
    changed.add(`watchpost://${kind}/${id}`);
    if (kind === 'incident') changed.add(OPEN_INCIDENTS.uri);
  }
  return changed;
}

/** Passes on what the SDK writes, and ends the stream when that does. */
async function send({ body }: Response, sink: EventSink, ended: () => StreamEnd): Promise<void> {
  for await (const text of body!.pipeThrough(new TextDecoderStream())) sink.write(text);
  const reason = ended();
  sink.end(reason === 'displaced' ? reason : 'server');
}
