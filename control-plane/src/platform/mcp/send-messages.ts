import type { Context } from 'koa';
import { type Fault, FAULT_STATUS } from '@watchpost/shared/fault';
import { bearerChallenge } from '../http/answering/bearer-challenge.js';
import { faultOf } from '../http/answering/on-error.js';
import { RequestOver } from '../db/request-context.js';
import { requestState } from '../http/serving/request-state.js';
import { DATA_POLICY } from '../http/security-headers.js';
import { rpcErrorOf } from './answer-fault.js';
import { errorResponse, type RequestId, RpcError } from './rpc-error.js';

const JSON_TYPE = 'application/json';
const EVENT_STREAM = 'text/event-stream';

/** A request that is refused as a whole, before or instead of being answered message by message. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    /** For a 401: the fault behind it, the requests that it answers, and whether they came as a batch. */
    readonly unauthenticated?: { fault: Fault; ids: readonly (RequestId | null)[]; asBatch: boolean },
  ) {
    super(message);
  }
}

/** Clients list both types; one that lists none, or anything, gets JSON. */
export function acceptsAnswer(ctx: Context): boolean {
  return ctx.get('Accept') === '' || ctx.accepts([JSON_TYPE, EVENT_STREAM]) !== false;
}

/** Sends the answers to the messages of a request, each as JSON; 202 where none needed one. */
export function sendMessages(ctx: Context, status: number, answers: readonly string[], asBatch: boolean): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Security-Policy', DATA_POLICY);
  if (answers.length === 0) {
    ctx.body = null;
    ctx.status = 202;
    return;
  }
  const text = asBatch ? `[${answers.join(',')}]` : answers[0]!;
  ctx.status = status;
  const wantsEvents =
    ctx.get('Accept') !== '' && ctx.accepts(JSON_TYPE) === false && ctx.accepts(EVENT_STREAM) !== false;
  ctx.type = wantsEvents ? EVENT_STREAM : JSON_TYPE;
  ctx.body = wantsEvents ? `event: message\ndata: ${text}\n\n` : text;
}

export interface RefusalDeps {
  origins: { baseUrl: string };
  /** That tools take: what a client without a token is to ask for. */
  scopes: readonly string[];
  onError(error: unknown, requestId: string): void;
}

/** Answers a request that failed as a whole, as a JSON-RPC error with the status that HTTP has for it. */
export function sendRefusal(ctx: Context, error: unknown, deps: RefusalDeps): void {
  if (error instanceof RequestOver || ctx.res.headersSent) throw error;
  const { requestId } = requestState(ctx);
  if (error instanceof Refusal) {
    const { status, code, message, unauthenticated } = error;
    const rpcError = new RpcError(code, message, {
      ...(unauthenticated ? { error: unauthenticated.fault.code } : {}),
      requestId,
    });
    if (unauthenticated) ctx.set('WWW-Authenticate', challenge(unauthenticated.fault, deps));
    const answers = (unauthenticated?.ids ?? [null]).map((id) => JSON.stringify(errorResponse(id, rpcError)));
    sendMessages(ctx, status, answers, unauthenticated?.asBatch === true);
    return;
  }
  const fault = faultOf(error);
  if (fault.code === 'internal_error') deps.onError(error, requestId);
  if (fault.retryAfterSeconds !== undefined)
    ctx.set('Retry-After', String(Math.max(1, Math.ceil(fault.retryAfterSeconds))));
  sendMessages(
    ctx,
    FAULT_STATUS[fault.code],
    [JSON.stringify(errorResponse(null, rpcErrorOf(fault, requestId)))],
    false,
  );
}

/** RFC 9728 §5.1: where a client finds out by itself how to sign its user in, and what to ask for. */
function challenge(fault: Fault, { origins, scopes }: RefusalDeps): string {
  const known = bearerChallenge(fault, { baseUrl: origins.baseUrl, scopes, resourcePath: '/mcp' });
  return `${known}, scope="${scopes.join(' ')}"`;
}
