import { ProbeFault } from './probe-fault.js';
import type { FaultKey } from './fault-sentences.js';

/** A timer this late was held up by the agent itself: a blocked loop, a stopped process, a suspended machine. */
const LATE_MS = 500;

/** Checks share one signal by the thousand, and an EventTarget walks a list for each listener that goes: one listener a signal. */
const running = new WeakMap<AbortSignal, Set<() => void>>();

/** What a step does when its time is over: it lets go of what it holds and answers with the fault. */
type Cancel = (fault: ProbeFault) => void;

/**
 * One limit over a whole check, however many steps it has: when it is reached, or the agent stops, the
 * step that is running is told. One timer a check.
 */
export class Deadline {
  readonly startedAt = performance.now();
  /** Set once the time is over; steps that start later fail at once. */
  #over: { stopping: boolean; lateMs: number } | null = null;
  #endsAt: number;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #step: { key: FaultKey; values: Readonly<Record<string, string | number>>; cancel: Cancel } | null = null;

  constructor(
    readonly timeoutMs: number,
    private readonly signal: AbortSignal,
  ) {
    this.#endsAt = this.startedAt + timeoutMs;
    this.#timer = setTimeout(this.#onTimer, timeoutMs);
    if (signal.aborted) this.#over = { stopping: true, lateMs: 0 };
    else watch(signal).add(this.#onAbort);
  }

  /** Begins a step. `key` is what it is called when the time runs out in it. `cancel` may be called at once. */
  enter(key: FaultKey, values: Readonly<Record<string, string | number>>, cancel: Cancel): void {
    this.#step = { key, values, cancel };
    if (this.#over) this.#tell();
  }

  /** The step is over: nobody is told of what comes. */
  leave(): void {
    this.#step = null;
  }

  /** Gives back time that the agent itself used up, in a queue of its own. */
  extend(ms: number): void {
    this.#endsAt += ms;
  }

  /** Must be called in the end, whatever happened. */
  dispose(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    running.get(this.signal)?.delete(this.#onAbort);
    this.#step = null;
  }

  readonly #onTimer = (): void => {
    const lateMs = performance.now() - this.#endsAt;
    if (lateMs < -1) {
      this.#timer = setTimeout(this.#onTimer, -lateMs);
      return;
    }
    // Timers run before sockets are looked at: what has arrived by now is still taken.
    this.#immediate = setImmediate(() => {
      this.#over = { stopping: false, lateMs };
      this.#tell();
    });
  };

  readonly #onAbort = (): void => {
    this.#over = { stopping: true, lateMs: 0 };
    this.#tell();
  };

  #tell(): void {
    const step = this.#step;
    const over = this.#over;
    if (!step || !over) return;
    this.#step = null;
    if (over.stopping) step.cancel(new ProbeFault('agent_stopping'));
    else if (over.lateMs > LATE_MS) step.cancel(new ProbeFault('agent_late', { lateMs: Math.round(over.lateMs) }));
    else step.cancel(new ProbeFault(step.key, { ...step.values, seconds: this.timeoutMs / 1_000 }));
  }
}

function watch(signal: AbortSignal): Set<() => void> {
  let told = running.get(signal);
  if (!told) {
    const made = new Set<() => void>();
    signal.addEventListener('abort', () => made.forEach((tell) => tell()), { once: true });
    running.set(signal, made);
    told = made;
  }
  return told;
}
