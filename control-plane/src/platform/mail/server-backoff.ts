import { backoffMs, type BackoffOptions } from '@watchpost/shared/backoff';

const BACKOFF: BackoffOptions = { initialMs: 1_000, maxMs: 30_000, factor: 2 };

/**
 * The exponential backoff of a server that is unavailable. While it lasts, nothing is sent; after it, one trial message
 * finds out whether the server is available again.
 */
export class ServerBackoff {
  #failures = 0;
  #untilMs = 0;

  /** Records a failure; of messages that fail together only the first counts. @returns the remaining wait, ms */
  failed(nowMs: number): number {
    if (nowMs >= this.#untilMs) {
      this.#untilMs = nowMs + backoffMs(this.#failures, Math.random(), BACKOFF);
      this.#failures++;
    }
    return this.#untilMs - nowMs;
  }

  answered(): void {
    this.#failures = 0;
    this.#untilMs = 0;
  }

  /** Returns how many messages may be sent now. @param running how many are being sent */
  available(free: number, running: number, nowMs: number): number {
    if (this.#failures === 0) return free;
    return running > 0 || nowMs < this.#untilMs ? 0 : Math.min(1, free);
  }
}
