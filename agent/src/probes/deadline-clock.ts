/** What is told when its time has come; `endsAt` by `performance.now()`. */
export interface Timed {
  readonly endsAt: number;
  onTime(): void;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
  onAbort?(): void;
}

/**
 * One timer for all checks of an agent. Nearly every check ends long before its deadline, so making and
 * clearing a timer for each is work for nothing: the timer stands at the earliest deadline that was ever
 * asked for, and only then looks who is left.
 */
export class DeadlineClock {
  readonly #waiting = new Set<Timed>();
  readonly #heard = new WeakSet<AbortSignal>();
  #timer: NodeJS.Timeout | undefined;
  #armedFor = Infinity;

  add(timed: Timed): void {
    this.#waiting.add(timed);
    if (timed.signal && !this.#heard.has(timed.signal)) this.#hear(timed.signal);
    if (timed.endsAt < this.#armedFor) this.#arm(timed.endsAt);
  }

  delete(timed: Timed): void {
    this.#waiting.delete(timed);
  }

  /** Checks share one signal by the thousand, and an EventTarget walks a list for each listener that goes: one listener a signal. */
  #hear(signal: AbortSignal): void {
    this.#heard.add(signal);
    const tell = (): void => this.#waiting.forEach((timed) => timed.signal === signal && timed.onAbort?.());
    signal.addEventListener('abort', tell, { once: true });
  }

  #arm(at: number): void {
    clearTimeout(this.#timer);
    this.#armedFor = at;
    // Whoever waits holds a socket or a lookup, which keep the process alive; a timer for nobody must not.
    this.#timer = setTimeout(this.#onTimer, at - performance.now()).unref();
  }

  readonly #onTimer = (): void => {
    const now = performance.now();
    let next = Infinity;
    for (const timed of this.#waiting) {
      // Node's timers may be early by the part of a millisecond that they cannot express.
      if (timed.endsAt <= now + 1) {
        this.#waiting.delete(timed);
        timed.onTime();
      } else next = Math.min(next, timed.endsAt);
    }
    this.#armedFor = Infinity;
    if (next < Infinity) this.#arm(next);
  };
}
