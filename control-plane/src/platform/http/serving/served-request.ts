import type { Context } from 'koa';
import type { Actor, Caller, Via, WorkspaceAccess } from '../../identity/caller.js';
import { requirePrecondition } from '../entity-tag.js';
import type { Input } from '../reading/read-input.js';
import { requestState } from './request-state.js';
import type { ApiRequest } from '../route.js';

/** The request as a route sees it. A class, because object literals with accessors are slow to make. */
export class ServedRequest implements ApiRequest<unknown, unknown, unknown> {
  readonly path: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly rawBody: Buffer;
  readonly caller: Caller;
  readonly actor: Actor;
  readonly via: Via;
  readonly requestId: string;
  readonly remoteAddress: string;
  readonly headers: ApiRequest<unknown, unknown, unknown>['headers'];

  constructor(
    private readonly ctx: Context,
    input: Input,
    caller: Caller | undefined,
    workspace: WorkspaceAccess | undefined,
    rawBody: Buffer | undefined,
  ) {
    this.path = ctx.path;
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.rawBody = rawBody as Buffer;
    // Anonymous routes and those without a workspace do not read these, by their declaration.
    this.caller = caller as Caller;
    const { requestId, remoteAddress } = requestState(ctx);
    this.via = viaOf(ctx, caller, requestId, remoteAddress);
    this.requestId = requestId;
    this.remoteAddress = remoteAddress;
    this.headers = ctx.req.headers;
    // Routes take methods out of the request by destructuring it.
    this.checkPrecondition = this.checkPrecondition.bind(this);
    const { via, checkPrecondition } = this;
    this.actor = { caller: this.caller, workspace: workspace as WorkspaceAccess, via, checkPrecondition };
  }

  get wantsPage(): boolean {
    // The answer depends on it: `Vary` informs caches (RFC 9110 §12.5.5).
    this.ctx.vary('Accept');
    return requestState(this.ctx).wantsPage;
  }

  checkPrecondition(current: unknown): void {
    requirePrecondition(this.headers, current);
  }
}

function viaOf(ctx: Context, caller: Caller | undefined, requestId: string, remoteAddress: string): Via {
  return { channel: channelOf(ctx, caller), client: null, requestId, remoteAddress: remoteAddress || null };
}

function channelOf(ctx: Context, caller: Caller | undefined): Via['channel'] {
  if (caller?.credential.type === 'session') return 'console';
  return ctx.req.headers['user-agent']?.startsWith('watchpost-cli/') === true ? 'cli' : 'rest';
}
