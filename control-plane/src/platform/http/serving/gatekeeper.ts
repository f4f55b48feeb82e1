import type { Context } from 'koa';
import { Fault } from '@watchpost/shared/fault';
import { setRequestTenant } from '../../db/request-context.js';
import { principalIdOf, type Caller } from '../../identity/caller.js';
import { readBearerToken, readCookie } from '../reading/read-credentials.js';
import { rateLimitHeaders, type RateLimiter } from '../rate-limiter.js';
import { addressBlock } from '../remote-address.js';
import { isSameOrigin } from '../same-origin.js';
import { requestState } from './request-state.js';

/** `1`: an event or a timer caused the request, not a person. It grants nothing: the session only ends no later for it. */
const BACKGROUND_HEADER = 'x-watchpost-background';

/** The cookie by which pages of this very service call REST. */
export interface SessionCookies {
  cookieName: string;
  /**
   * @param isUse whether the session counts as used, which delays its end
   * @throws Fault `invalid_token` where the session has ended, `member_suspended`
   */
  authenticate(token: string, isUse: boolean): Promise<Caller>;
}

export interface GatekeeperOptions {
  authenticate(token: string): Promise<Caller>;
  sessions?: SessionCookies;
  /** Of this service: only its own pages may use the cookie of a session. */
  origin: string;
  /** By principal: every authenticated call counts. */
  callers: RateLimiter;
  /** By owner: the calls of all principals in all workspaces of an owner. */
  owners: RateLimiter;
  /** By address: only calls whose token is refused count. */
  strangers: RateLimiter;
}

/** Lets callers in by their token or session, within their rate. */
export class Gatekeeper {
  constructor(private readonly options: GatekeeperOptions) {}

  /**
   * Lets a caller of REST in, by a token or by the cookie of a session.
   * @param uncounted whether this call is free of the principal's limit
   * @param isUse whether the session counts as used, unless the request has the header of background requests
   * @throws Fault `missing_token`, `invalid_token`, `member_suspended`, `rate_limited`
   */
  async admitWithCookie(ctx: Context, uncounted: boolean, isUse: boolean): Promise<Caller> {
    const { sessions } = this.options;
    const token = sessions && this.#sessionTokenOf(ctx, sessions.cookieName);
    if (!sessions || token === undefined) return this.admit(ctx, uncounted);
    const isByPerson = isUse && ctx.req.headers[BACKGROUND_HEADER] !== '1';
    return this.#admit(ctx, uncounted, () => sessions.authenticate(token, isByPerson));
  }

  /**
   * Lets a caller in by a token.
   * @param uncounted whether this call is free of the principal's limit
   * @throws Fault `missing_token`, `invalid_token`, `rate_limited`
   */
  async admit(ctx: Context, uncounted: boolean): Promise<Caller> {
    return this.#admit(ctx, uncounted, () => this.options.authenticate(readBearerToken(ctx.req)));
  }

  async #admit(ctx: Context, uncounted: boolean, authenticate: () => Promise<Caller>): Promise<Caller> {
    const { strangers } = this.options;
    let caller: Caller;
    try {
      caller = await authenticate();
    } catch (error) {
      if (error instanceof Fault && (error.code === 'invalid_token' || error.code === 'missing_token')) {
        // Only after the token was checked: valid callers that share an address with a flood, behind one NAT or proxy, go on.
        const refusals = await strangers.take(addressBlock(requestState(ctx).remoteAddress));
        if (!refusals.allowed)
          throw tooMany('Too many calls without a valid token came from this address', refusals.resetSeconds);
      }
      throw error;
    }
    setRequestTenant(caller.userId);
    if (!uncounted) await this.count(ctx, caller);
    return caller;
  }

  /** Undefined unless one of our own pages sent it: a browser adds the cookie to requests of other sites, too. */
  #sessionTokenOf({ req }: Context, cookieName: string): string | undefined {
    if (req.headers.authorization !== undefined || !isSameOrigin(req, this.options.origin)) return undefined;
    return readCookie(req.headers.cookie, cookieName);
  }

  /** Counts a call of somebody who was let in uncounted: where one request makes several. @throws Fault `rate_limited` */
  async count(ctx: Context, caller: Caller): Promise<void> {
    const quota = await this.options.callers.take(principalIdOf(caller));
    ctx.set(rateLimitHeaders('default', quota));
    if (!quota.allowed) throw tooMany(`You may make ${quota.limit} calls a minute`, quota.resetSeconds);
  }

  /** Counts a call in a workspace of this owner: keys and workspaces multiply the rate of one account otherwise. @throws Fault `rate_limited` */
  async countForOwner(ctx: Context, ownerId: string): Promise<void> {
    const quota = await this.options.owners.take(ownerId);
    for (const [name, value] of Object.entries(rateLimitHeaders('owner', quota))) {
      ctx.append(name, value);
    }
    if (!quota.allowed)
      throw tooMany(
        `All callers in the workspaces of one owner may make ${quota.limit} calls a minute together`,
        quota.resetSeconds,
      );
  }
}

function tooMany(what: string, retryAfterSeconds: number): Fault {
  return new Fault('rate_limited', `${what}; go on after the seconds that Retry-After names.`, [], retryAfterSeconds);
}
