import { backoffMs, type BackoffOptions } from '@watchpost/shared/backoff';

const BACKOFF: BackoffOptions = { initialMs: 1_000, maxMs: 30_000, factor: 2 };

/**
 * Leaves a server alone that cannot be used, for longer each time: meanwhile nothing is sent through it, and then one
 * message alone tries whether it can be used again.
 */
export class ServerBackoff {
  #failures = 0;
  #untilMs = 0;

  /** Of messages that fail together only the first counts. @returns how long the server is left alone, ms */
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

  /** How many messages may be sent now. @param running how many are on their way */
  room(free: number, running: number, nowMs: number): number {
    if (this.#failures === 0) return free;
    return running > 0 || nowMs < this.#untilMs ? 0 : Math.min(1, free);
  }
}
