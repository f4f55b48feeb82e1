import type { Context } from 'koa';
import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import type { Gatekeeper } from '../http/serving/gatekeeper.js';
import type { EventStreamAnswer } from '../http/event-stream.js';
import { addressBlock } from '../http/remote-address.js';
import { noteCaller, requestState } from '../http/serving/request-state.js';
import type { RateLimiter } from '../http/rate-limiter.js';
import type { Caller, WorkspaceAccess } from '../identity/caller.js';
import type { AnswerDeps } from './answer-message.js';
import type { CallContext } from './call-tool.js';
import type { OriginRules } from './decide-origin.js';
import type { EventStreams } from './event-streams.js';
import { type RequestId, RPC } from './rpc-error.js';
import { Refusal } from './send-messages.js';
import type { Sessions } from './sessions.js';

export interface EndpointDeps extends AnswerDeps {
  gatekeeper: Gatekeeper;
  /** By address: requests that need no token. */
  strangers: RateLimiter;
  sessions: Sessions;
  streams: EventStreams;
  origins: OriginRules;
  /** @throws Fault no_workspace_context, member_suspended */
  resolveWorkspace(caller: Caller, headerId: string | null, isRepeat?: boolean): Promise<WorkspaceAccess>;
  /** Opens a stream of what changes in a workspace, in the format of event streams. @throws Fault rate_limited, unavailable */
  followEvents(caller: Caller, workspace: WorkspaceAccess): Promise<EventStreamAnswer>;
  /** For the challenge of a 401. */
  scopes: readonly string[];
}

/** Whether a request needs a token: reading a resource, and calling any tool that is not for everybody. */
export function takesToken({ tools }: EndpointDeps, method: unknown, name: unknown): boolean {
  if (method === 'resources/read') return true;
  if (method !== 'tools/call') return false;
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  return tool !== undefined && tool.access !== 'anonymous';
}

/** @throws Fault rate_limited, unavailable; Refusal with what every request of the body is answered */
export async function admit(
  deps: EndpointDeps,
  ctx: Context,
  ids: readonly (RequestId | null)[],
  asBatch: boolean,
): Promise<Caller> {
  try {
    const caller = await deps.gatekeeper.admit(ctx, true);
    noteCaller(requestState(ctx), caller);
    return caller;
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== 'missing_token' && error.code !== 'invalid_token')) throw error;
    throw new Refusal(401, RPC.unauthenticated, error.message, { fault: error, ids, asBatch });
  }
}

/** The caller of a request that needs no token and has one; undefined where it is not good any more, because then one has to sign in again. */
export async function recognize(deps: EndpointDeps, ctx: Context): Promise<Caller | undefined> {
  if (ctx.get('Authorization') === '') return undefined;
  return admit(deps, ctx, [], false).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
}

/**
 * Counts one request of a body: for its caller, else for the address.
 * @returns why this request is refused, while the others of the body keep their answers
 * @throws Fault rate_limited for an address, which refuses the body: without a caller it has changed nothing
 */
export async function countRequest(
  deps: EndpointDeps,
  ctx: Context,
  caller: Caller | undefined,
): Promise<Fault | undefined> {
  if (!caller) {
    await countStranger(deps, ctx);
    return undefined;
  }
  try {
    await deps.gatekeeper.count(ctx, caller);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

export async function countStranger({ strangers }: EndpointDeps, ctx: Context): Promise<void> {
  const quota = await strangers.take(addressBlock(requestState(ctx).remoteAddress));
  if (!quota.allowed)
    throw new Fault(
      'rate_limited',
      'Too many calls came from this address; go on a little later.',
      [],
      quota.resetSeconds,
    );
}

export function callContext(
  deps: EndpointDeps,
  ctx: Context,
  { version, client, elicitation }: Pick<CallContext, 'version' | 'client' | 'elicitation'>,
  caller: Caller | undefined,
): CallContext {
  const state = requestState(ctx);
  return {
    requestId: state.requestId,
    remoteAddress: state.remoteAddress,
    version,
    client,
    caller,
    elicitation,
    async resolveWorkspace(of) {
      const named = ctx.req.headers['x-workspace-id'];
      if (named !== undefined && (typeof named !== 'string' || !isUuid(named)))
        throw new Fault('no_workspace_context', 'Send the id of one of your workspaces as `X-Workspace-Id`.');
      const workspace = await deps.resolveWorkspace(of, named?.toLowerCase() ?? null);
      state.workspaceId = workspace.workspaceId;
      await deps.gatekeeper.countForOwner(ctx, workspace.ownerId);
      return workspace;
    },
  };
}
