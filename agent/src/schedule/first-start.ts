import type { IsCompleted } from './check-timing.js';
import type { RestoredCheck } from './scheduler-options.js';
import type { Scheduler } from './scheduler.js';

/** How long a start waits for the control plane's clock: the machine's own can be wrong. */
const CLOCK_WITHIN_MS = 5_000;
/** … and then for its first update: other agents may have run the checks meanwhile. */
const CHECKS_WITHIN_MS = 5_000;

/**
 * The start of an agent. The checks that were on disk begin when the control plane has sent its time and an update, or, if
 * it is away or slow, after a short wait.
 */
export class FirstStart {
  private restored: RestoredCheck[] = [];
  private timer: NodeJS.Timeout | undefined;
  private step: 'held' | 'restored' | 'begun' | 'given up' = 'held';

  constructor(
    private readonly scheduler: Pick<Scheduler, 'restore' | 'start' | 'size'>,
    private readonly isCompleted: IsCompleted,
  ) {}

  /** The number of known checks, on the schedule or not yet. */
  get checks(): number {
    return this.step === 'held' ? this.restored.length : this.scheduler.size;
  }

  get hasBegun(): boolean {
    return this.step === 'begun';
  }

  /** Takes the checks that were on disk. */
  hold(restored: RestoredCheck[]): void {
    this.restored = restored;
    this.timer = setTimeout(() => this.begin(), CLOCK_WITHIN_MS);
  }

  /** The control plane has sent its time. */
  timeKnown(): void {
    if (this.step !== 'held') return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), CHECKS_WITHIN_MS);
  }

  /** Puts the checks from disk on the schedule. To be called before an update of the control plane, which changes them. */
  restore(): void {
    if (this.step !== 'held') return;
    clearTimeout(this.timer);
    this.step = 'restored';
    this.scheduler.restore(this.restored, this.isCompleted);
    this.restored = [];
  }

  begin(): void {
    this.restore();
    if (this.step !== 'restored') return;
    this.step = 'begun';
    this.scheduler.start();
  }

  /** Prevents the start: the agent stops. */
  giveUp(): void {
    clearTimeout(this.timer);
    if (this.step !== 'begun') this.step = 'given up';
  }
}
