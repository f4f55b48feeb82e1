/** Something with a deadline; `endsAt` by `performance.now()`. */
export interface Timed {
  readonly endsAt: number;
  onTime(): void;
  /** Ends it before its deadline. */
  readonly signal?: AbortSignal;
  onAbort?(): void;
}

/**
 * One timer for the deadlines of all checks. Nearly every check ends long before its deadline, so that a timer for each
 * would be wasted. The timer fires at the earliest deadline ever added and then looks for overdue checks.
 */
export class DeadlineClock {
  readonly #waiting = new Set<Timed>();
  readonly #watched = new WeakSet<AbortSignal>();
  #timer: NodeJS.Timeout | undefined;
  #armedFor = Infinity;

  add(timed: Timed): void {
    this.#waiting.add(timed);
    if (timed.signal && !this.#watched.has(timed.signal)) this.#watch(timed.signal);
    if (timed.endsAt < this.#armedFor) this.#arm(timed.endsAt);
  }

  delete(timed: Timed): void {
    this.#waiting.delete(timed);
  }

  /** Adds one listener per signal: thousands of checks share a signal, and removing a listener takes linear time. */
  #watch(signal: AbortSignal): void {
    this.#watched.add(signal);
    const abort = (): void => this.#waiting.forEach((timed) => timed.signal === signal && timed.onAbort?.());
    signal.addEventListener('abort', abort, { once: true });
  }

  #arm(at: number): void {
    clearTimeout(this.#timer);
    this.#armedFor = at;
    // A running check has a socket or a lookup, which keeps the process alive; the timer itself must not.
    this.#timer = setTimeout(this.#onTimer, at - performance.now()).unref();
  }

  readonly #onTimer = (): void => {
    const now = performance.now();
    let next = Infinity;
    for (const timed of this.#waiting) {
      // Node's timers can be early by less than 1 ms.
      if (timed.endsAt <= now + 1) {
        this.#waiting.delete(timed);
        timed.onTime();
      } else next = Math.min(next, timed.endsAt);
    }
    this.#armedFor = Infinity;
    if (next < Infinity) this.#arm(next);
  };
}
