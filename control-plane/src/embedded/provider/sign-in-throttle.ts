import { MINUTE_MS } from '@watchpost/shared/time';
import { CallWindows } from '../../platform/http/call-windows.js';

/** Attempts to sign in with one email in a minute. */
const MAX_ATTEMPTS = 10;
const COUNTED_EMAILS = 1_000;

/** Limits attempts to sign in. Each is counted before its password is checked, so that parallel ones count too. */
export class SignInThrottle {
  readonly #attempts = new CallWindows(MINUTE_MS, COUNTED_EMAILS);

  /** @returns whether this attempt may go on */
  admit(email: string, nowMs: number): boolean {
    const window = this.#attempts.open(email.toLowerCase(), nowMs);
    return ++window.count <= MAX_ATTEMPTS;
  }

  forget(email: string): void {
    this.#attempts.reset(email.toLowerCase());
  }
}
