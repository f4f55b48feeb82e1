import type { OAuthClient } from '@watchpost/shared/checks/http';
import type { AnswerHead } from '../answer-head.js';
import type { Deadline } from '../deadline.js';
import { ProbeFault } from '../probe-fault.js';
import { usSince } from '../reach-host.js';
import type { HttpRequest } from '../request-head.js';
import { OwnOrigin, withHeader, type SignIn } from './sign-in.js';
import { isClientUnknown, readToken, type TokenAnswer } from './token-answer.js';
import type { AccessToken, KeptToken, TokenMemory } from './token-memory.js';
import { endpointOf } from './token-request.js';

/** A token is not used any more so long before it expires. */
const LEEWAY_MS = 30_000;

export interface TokenContext {
  tokens: TokenMemory;
  deadline: Deadline;
  /** ms since the epoch. */
  now(): number;
  /** Sends one request to the token endpoint. @param isInBody whether the credentials are in its body */
  ask(isInBody: boolean): Promise<TokenAnswer>;
}

/** Signs in with an access token by client credentials (RFC 6749 §4.4). */
export class OAuthSignIn implements SignIn {
  readonly sent: { name: string; value: string }[] = [];
  waitedUs = 0;
  readonly #own = new OwnOrigin();
  readonly #kept: KeptToken;
  /** A token that this check asked for is not renewed. */
  #isFresh = false;

  constructor(
    private readonly auth: OAuthClient,
    private readonly context: TokenContext,
  ) {
    this.#kept = context.tokens.get(auth) ?? { token: null, pending: null, isInBody: false };
    context.tokens.set(auth, this.#kept);
  }

  async sign(request: HttpRequest): Promise<HttpRequest | ProbeFault> {
    if (!this.#own.has(request)) return request;
    const token = await this.#token();
    if (token instanceof ProbeFault) return token;
    const header = { name: 'Authorization', value: `Bearer ${token.value}` };
    this.sent.push(header);
    return withHeader(request, header);
  }

  judge(request: HttpRequest, { statusCode }: AnswerHead): boolean {
    if (statusCode !== 401 || this.#isFresh || !this.#own.has(request)) return false;
    this.#kept.token = null;
    return true;
  }

  async #token(): Promise<AccessToken | ProbeFault> {
    const since = performance.now();
    try {
      while (this.#kept.pending !== null) {
        const late = await this.#waitFor(this.#kept.pending);
        if (late) return late;
      }
      return this.#usable() ?? (await this.#renew());
    } finally {
      this.waitedUs += usSince(since);
    }
  }

  #usable(): AccessToken | null {
    const { token } = this.#kept;
    return token && (this.#isFresh || this.context.now() < token.expiresMs - LEEWAY_MS) ? token : null;
  }

  async #renew(): Promise<AccessToken | ProbeFault> {
    const kept = this.#kept;
    const asked = this.#ask();
    kept.pending = asked;
    const result = await asked;
    kept.pending = null;
    kept.token = result instanceof ProbeFault ? null : result;
    this.#isFresh = true;
    return result;
  }

  /** Servers must take the credentials in a header (RFC 6749 §2.3.1), and some take them in the body alone. */
  async #ask(): Promise<AccessToken | ProbeFault> {
    const { context, auth } = this;
    const isInBody = this.#kept.isInBody;
    let answer = await context.ask(isInBody);
    if (isClientUnknown(answer)) {
      const other = await context.ask(!isInBody);
      if (other.fault === null && !isClientUnknown(other)) this.#kept.isInBody = !isInBody;
      answer = other;
    }
    const token = await readToken(answer, endpointOf(auth), context.now());
    if (!(token instanceof ProbeFault)) this.sent.push({ name: 'token', value: token.value });
    return token;
  }

  /** Waits for the request of another check. @returns a fault where the time of this one is over */
  #waitFor(pending: Promise<unknown>): Promise<ProbeFault | null> {
    const { deadline } = this.context;
    return new Promise((resolve) => {
      const settle = (fault: ProbeFault | null): void => {
        deadline.leave();
        resolve(fault);
      };
      const timeoutValues = () => ({ endpoint: endpointOf(this.auth) });
      deadline.enter({ timeoutKey: 'token_timeout', timeoutValues, cancel: settle });
      void pending.then(() => settle(null));
    });
  }
}
