/** Something with a deadline; `endsAt` by `performance.now()`. */
export interface Timed {
  readonly endsAt: number;
  /** The clock has it at this place, and alone sets it; -1 means that it has it not. */
  place: number;
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
  /** No `Set`: each check that comes and goes alone would make V8 allocate its table anew, and a table keeps the next one from being collected early. */
  readonly #waiting: Timed[] = [];
  readonly #watched = new WeakSet<AbortSignal>();
  #timer: NodeJS.Timeout | undefined;
  #armedFor = Infinity;

  add(timed: Timed): void {
    timed.place = this.#waiting.push(timed) - 1;
    if (timed.signal && !this.#watched.has(timed.signal)) this.#watch(timed.signal);
    if (timed.endsAt < this.#armedFor) this.#arm(timed.endsAt);
  }

  delete(timed: Timed): void {
    const { place } = timed;
    if (place < 0) return;
    timed.place = -1;
    const last = this.#waiting.pop()!;
    if (last === timed) return;
    this.#waiting[place] = last;
    last.place = place;
  }

  /** Adds one listener per signal: thousands of checks share a signal, and removing a listener takes linear time. */
  #watch(signal: AbortSignal): void {
    this.#watched.add(signal);
    const abort = (): void => {
      for (const timed of this.#waiting.filter((each) => each.signal === signal))
        if (timed.place >= 0) timed.onAbort?.();
    };
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
    this.#armedFor = Infinity;
    // Node's timers can be early by less than 1 ms.
    for (const timed of this.#waiting.filter(({ endsAt }) => endsAt <= now + 1)) {
      if (timed.place < 0) continue;
      this.delete(timed);
      timed.onTime();
    }
    const next = this.#waiting.reduce((earliest, { endsAt }) => Math.min(earliest, endsAt), Infinity);
    if (next < this.#armedFor) this.#arm(next);
  };
}
