import type { Tenancy } from '@watchpost/shared/fair-share';
import type { DeadlineClock, Timed } from './deadline-clock.js';
import type { FaultKey } from './fault-sentences.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';

/** A timer this late was delayed by the agent: a blocked event loop, a stopped process, a suspended machine. */
const LATE_MS = 500;

/** A step of a check. When it is cancelled, it releases its resources and ends with the fault. */
export interface Step {
  readonly timeoutKey: FaultKey;
  timeoutValues(): FaultValues;
  cancel(fault: ProbeFault): void;
}

/**
 * The deadline of a whole check: when it is reached, or the agent stops, the running step is cancelled.
 */
export class Deadline implements Timed {
  readonly startedAt = performance.now();
  endsAt: number;
  place = -1;
  /** Set after the deadline; later steps fail at once. */
  #over: { stopping: boolean; lateMs: number } | null = null;
  /** The agent's own fault if the check lost time in a queue that was not added to its deadline. */
  #cutShort: ProbeFault | null = null;
  #immediate: NodeJS.Immediate | undefined;
  #step: Step | null = null;

  constructor(
    readonly timeoutMs: number,
    readonly signal: AbortSignal,
    private readonly clock: DeadlineClock,
    /** The owner and the site to which the check's use of the agent is counted. */
    readonly tenancy: Tenancy = {},
  ) {
    this.endsAt = this.startedAt + timeoutMs;
    if (signal.aborted) this.#over = { stopping: true, lateMs: 0 };
    else clock.add(this);
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  get leftMs(): number {
    return this.isOver ? 0 : this.endsAt - performance.now();
  }

  /** Begins a step, which can be cancelled at once. */
  enter(step: Step): void {
    this.#step = step;
    if (this.#over) this.#cancelStep();
  }

  /** Ends the step, which is not cancelled any more. */
  leave(): void {
    this.#step = null;
  }

  /**
   * Adds time that the check spent in a queue of the agent; at most the timeout over the whole check.
   * @param cutShort the fault instead of a timeout if not all of the time could be added
   */
  extend(ms: number, cutShort: ProbeFault): void {
    const latest = this.startedAt + 2 * this.timeoutMs;
    if (this.endsAt + ms > latest) this.#cutShort ??= cutShort;
    this.endsAt = Math.min(this.endsAt + ms, latest);
  }

  /** Must be called at the end of every check. */
  dispose(): void {
    this.clock.delete(this);
    clearImmediate(this.#immediate);
    this.#step = null;
  }

  /** Timers run before sockets are polled: data that has arrived is still processed, and can end a wait in a queue. */
  onTime(): void {
    const { endsAt } = this;
    const lateMs = performance.now() - endsAt;
    this.#immediate = setImmediate(() => {
      if (this.endsAt > endsAt) {
        this.clock.add(this);
        return;
      }
      this.#over = { stopping: false, lateMs };
      this.#cancelStep();
    });
  }

  onAbort(): void {
    this.#over = { stopping: true, lateMs: 0 };
    this.#cancelStep();
  }

  #cancelStep(): void {
    const step = this.#step;
    const over = this.#over;
    if (!step || !over) return;
    this.#step = null;
    if (over.stopping) step.cancel(new ProbeFault('agent_stopping'));
    else if (over.lateMs > LATE_MS) step.cancel(new ProbeFault('agent_late', { lateMs: Math.round(over.lateMs) }));
    else if (this.#cutShort) step.cancel(this.#cutShort);
    else step.cancel(new ProbeFault(step.timeoutKey, { ...step.timeoutValues(), seconds: this.timeoutMs / 1_000 }));
  }
}
