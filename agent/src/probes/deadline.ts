import type { Tenancy } from '@watchpost/shared/fair-share';
import type { DeadlineClock, Timed } from './deadline-clock.js';
import type { FaultKey } from './fault-sentences.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';

/** A timer this late was held up by the agent itself: a blocked loop, a stopped process, a suspended machine. */
const LATE_MS = 500;

/** One part of a check: it lets go of what it holds and answers with the fault when it is cancelled. */
export interface Step {
  /** What it is called when the time runs out in it. */
  readonly timeoutKey: FaultKey;
  timeoutValues(): FaultValues;
  cancel(fault: ProbeFault): void;
}

/**
 * One limit over a whole check, however many steps it has: when it is reached, or the agent stops, the
 * step that is running is told.
 */
export class Deadline implements Timed {
  readonly startedAt = performance.now();
  endsAt: number;
  /** Set once the time is over; steps that start later fail at once. */
  #over: { stopping: boolean; lateMs: number } | null = null;
  #immediate: NodeJS.Immediate | undefined;
  #step: Step | null = null;

  constructor(
    readonly timeoutMs: number,
    readonly signal: AbortSignal,
    private readonly clock: DeadlineClock,
    /** Whose check it is: what it takes of the agent counts to its owner. */
    readonly tenancy: Tenancy = {},
  ) {
    this.endsAt = this.startedAt + timeoutMs;
    if (signal.aborted) this.#over = { stopping: true, lateMs: 0 };
    else clock.add(this);
  }

  /** Begins a step, which may be cancelled at once. */
  enter(step: Step): void {
    this.#step = step;
    if (this.#over) this.#tell();
  }

  /** The step is over: nobody is told of what comes. */
  leave(): void {
    this.#step = null;
  }

  /** Gives back time that the agent itself used up, in a queue of its own; over the whole check at most the timeout. */
  extend(ms: number): void {
    this.endsAt = Math.min(this.endsAt + ms, this.startedAt + 2 * this.timeoutMs);
  }

  /** Must be called in the end, whatever happened. */
  dispose(): void {
    this.clock.delete(this);
    clearImmediate(this.#immediate);
    this.#step = null;
  }

  /** Timers run before sockets are looked at: what has arrived by now is still taken. */
  onTime(): void {
    const lateMs = performance.now() - this.endsAt;
    this.#immediate = setImmediate(() => {
      this.#over = { stopping: false, lateMs };
      this.#tell();
    });
  }

  onAbort(): void {
    this.#over = { stopping: true, lateMs: 0 };
    this.#tell();
  }

  #tell(): void {
    const step = this.#step;
    const over = this.#over;
    if (!step || !over) return;
    this.#step = null;
    if (over.stopping) step.cancel(new ProbeFault('agent_stopping'));
    else if (over.lateMs > LATE_MS) step.cancel(new ProbeFault('agent_late', { lateMs: Math.round(over.lateMs) }));
    else step.cancel(new ProbeFault(step.timeoutKey, { ...step.timeoutValues(), seconds: this.timeoutMs / 1_000 }));
  }
}
