import { BoundedCache } from '@watchpost/shared/bounded-cache';

export interface CallWindow {
  /** ms since the epoch. */
  endsMs: number;
  count: number;
  /** Whether the counts that processes share refuse the key until the window ends. */
  isRefused: boolean;
}

/**
 * Counts calls by key in this process, in windows that begin with the first call of a key. At most `capacity` keys are
 * kept, the most recently used ones: a flood of keys takes no more memory. The limiters of rate-limiter-flexible keep
 * every key, with a timer for each, and are used where keys are few or Redis keeps them.
 */
export class CallWindows {
  readonly #windows: BoundedCache<string, CallWindow>;

  constructor(
    private readonly windowMs: number,
    capacity: number,
  ) {
    this.#windows = new BoundedCache(capacity);
  }

  /** @returns the window of the key that is open at `nowMs`: the caller counts in it */
  open(key: string, nowMs: number): CallWindow {
    const known = this.#windows.get(key);
    // A clock that is set back prolongs no window.
    if (known && known.endsMs > nowMs && known.endsMs <= nowMs + this.windowMs) return known;
    const window = { endsMs: nowMs + this.windowMs, count: 0, isRefused: false };
    this.#windows.set(key, window);
    return window;
  }

  reset(key: string): void {
    this.#windows.delete(key);
  }
}

/** The value of `Retry-After` until the window ends, s. */
export function secondsLeft({ endsMs }: CallWindow, nowMs: number): number {
  return Math.ceil((endsMs - nowMs) / 1_000);
}
