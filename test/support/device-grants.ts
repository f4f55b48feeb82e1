import { randomBytes } from 'node:crypto';

/** What the token endpoint of a test issuer answers: an error, or for whom it issues tokens. */
export type DeviceAnswer = { error: string } | { sub: string; refreshToken: string };

/**
 * The device flow of a test issuer (RFC 8628) and its refresh tokens, which are good once. The person enters each code between the first
 * poll and the second.
 */
export class DeviceGrants {
  readonly #polls = new Map<string, number>();
  readonly #refreshTokens = new Map<string, string>();

  /** The answer to a request for a code. */
  start(issuer: string): object {
    const code = randomBytes(16).toString('hex');
    this.#polls.set(code, 0);
    return {
      device_code: code,
      user_code: 'WDJB-MJHT',
      verification_uri: `${issuer}/device-page`,
      expires_in: 60,
      interval: 1,
    };
  }

  /** @param person who answers, and the error with which they refuse */
  redeem(form: URLSearchParams, person: { sub: string; error?: string }): DeviceAnswer {
    if (form.get('grant_type') === 'refresh_token') {
      const sub = this.#take(form.get('refresh_token') ?? '');
      return sub === undefined ? { error: 'invalid_grant' } : this.#issue(sub);
    }
    const code = form.get('device_code') ?? '';
    const polls = this.#polls.get(code);
    if (polls === undefined) return { error: 'invalid_grant' };
    this.#polls.set(code, polls + 1);
    if (polls === 0) return { error: 'authorization_pending' };
    this.#polls.delete(code);
    return person.error === undefined ? this.#issue(person.sub) : { error: person.error };
  }

  revoke(token: string): void {
    this.#refreshTokens.delete(token);
  }

  #issue(sub: string): DeviceAnswer {
    const refreshToken = randomBytes(16).toString('hex');
    this.#refreshTokens.set(refreshToken, sub);
    return { sub, refreshToken };
  }

  #take(token: string): string | undefined {
    const sub = this.#refreshTokens.get(token);
    this.#refreshTokens.delete(token);
    return sub;
  }
}
