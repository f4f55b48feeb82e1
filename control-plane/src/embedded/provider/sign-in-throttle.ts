import { BoundedCache } from '@watchpost/shared/bounded-cache';

/** Tries for one email in a minute before it has to wait: guessing must not be for free. */
const MAX_TRIES = 10;
const WINDOW_MS = 60_000;
const REMEMBERED_EMAILS = 1_000;

/** Counts tries to sign in, each before its password is looked at, so that tries at once count too. */
export class SignInThrottle {
  readonly #tries = new BoundedCache<string, { count: number; sinceMs: number }>(REMEMBERED_EMAILS);

  /** @returns whether this try may go on */
  admit(email: string, nowMs: number): boolean {
    const known = this.#tries.get(email.toLowerCase());
    const window = known && nowMs - known.sinceMs < WINDOW_MS ? known : { count: 0, sinceMs: nowMs };
    if (window.count >= MAX_TRIES) return false;
    this.#tries.set(email.toLowerCase(), { ...window, count: window.count + 1 });
    return true;
  }

  /** Somebody knew the password: their earlier mistakes no longer count. */
  forget(email: string): void {
    this.#tries.delete(email.toLowerCase());
  }
}
