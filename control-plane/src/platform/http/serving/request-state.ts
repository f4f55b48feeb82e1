import type { Context } from 'koa';
import type { Caller } from '../../identity/caller.js';

/** What the shell knows of one request, for logs, metrics and errors. Lives in `ctx.state.request`. */
export interface RequestState {
  requestId: string;
  remoteAddress: string;
  startedAt: number;
  /** The route's template: the label of metrics, never the raw path. */
  route: string;
  quiet: boolean;
  /** Not to be logged. */
  secretPath: boolean;
  /** The scopes that the route takes. */
  scopes: readonly string[];
  /** Whether the caller would rather have a page than JSON (RFC 9110 §12.5.1) where the route has both. */
  wantsPage: boolean;
  /** The answer is an event stream: that the client ends it is no failure, and its duration no latency. */
  isStream: boolean;
  /** The trace that the caller is in (W3C Trace Context), where it names one. */
  traceparent?: string;
  userId?: string;
  apiKeyId?: string;
  workspaceId?: string;
}

export function noteCaller(state: RequestState, { userId, credential }: Caller): void {
  state.userId = userId;
  if (credential.type === 'apiKey') state.apiKeyId = credential.id;
}

export function requestState(ctx: Context): RequestState {
  return (ctx.state as { request: RequestState }).request;
}
