import type { Context } from 'koa';
import { Fault } from '@watchpost/shared/fault';
import type { Caller } from '../../identity/caller.js';
import { readBearerToken } from '../reading/read-credentials.js';
import { rateLimitHeaders, type RateLimiter } from '../rate-limiter.js';
import { addressBlock } from '../remote-address.js';
import { requestState } from './request-state.js';

export interface GatekeeperOptions {
  authenticate(token: string): Promise<Caller>;
  /** By principal: every authenticated call counts. */
  callers: RateLimiter;
  /** By address: only calls whose token is refused count. */
  strangers: RateLimiter;
}

/** Lets callers in by their token, within their rate. */
export class Gatekeeper {
  constructor(private readonly options: GatekeeperOptions) {}

  /**
   * @param uncounted whether this call is free of the principal's limit
   * @throws Fault `missing_token`, `invalid_token`, `rate_limited`
   */
  async admit(ctx: Context, uncounted: boolean): Promise<Caller> {
    const { strangers } = this.options;
    let caller: Caller;
    try {
      caller = await this.options.authenticate(readBearerToken(ctx.req));
    } catch (error) {
      if (error instanceof Fault && (error.code === 'invalid_token' || error.code === 'missing_token')) {
        // Only after the token was checked: valid callers that share an address with a flood, behind one NAT or proxy, go on.
        const refusals = await strangers.take(addressBlock(requestState(ctx).remoteAddress));
        if (!refusals.allowed)
          throw tooMany('Too many calls without a valid token came from this address', refusals.resetSeconds);
      }
      throw error;
    }
    if (!uncounted) await this.count(ctx, caller);
    return caller;
  }

  /** Counts a call of somebody who was let in uncounted: where one request makes several. @throws Fault `rate_limited` */
  async count(ctx: Context, caller: Caller): Promise<void> {
    const quota = await this.options.callers.take(caller.userId);
    ctx.set(rateLimitHeaders('default', quota));
    if (!quota.allowed) throw tooMany(`You may make ${quota.limit} calls a minute`, quota.resetSeconds);
  }
}

function tooMany(what: string, retryAfterSeconds: number): Fault {
  return new Fault('rate_limited', `${what}; go on after the seconds that Retry-After names.`, [], retryAfterSeconds);
}
