import type { IsCompleted } from './check-timing.js';
import type { RestoredCheck } from './scheduler-options.js';
import type { Scheduler } from './scheduler.js';

/**
 * A machine's clock can be wrong, and others can have run our checks meanwhile: they begin when the control plane tells
 * the time and whose they are; by what we know ourselves only where it is away, or slow to tell.
 */
const TOLD_TIME_WITHIN_MS = 5_000;
const TOLD_CHECKS_WITHIN_MS = 5_000;

/** How checks begin in an agent that starts: with what stood on disk, once it is known what of that is still to be done. */
export class FirstStart {
  private restored: RestoredCheck[] = [];
  private timer: NodeJS.Timeout | undefined;
  private step: 'held' | 'restored' | 'begun' | 'given up' = 'held';

  constructor(
    private readonly scheduler: Pick<Scheduler, 'restore' | 'start' | 'size'>,
    private readonly isCompleted: IsCompleted,
  ) {}

  /** Checks that are known, on the schedule or not yet. */
  get checks(): number {
    return this.step === 'held' ? this.restored.length : this.scheduler.size;
  }

  /** Holds what stood on disk. */
  hold(restored: RestoredCheck[]): void {
    this.restored = restored;
    this.timer = setTimeout(() => this.begin(), TOLD_TIME_WITHIN_MS);
  }

  /** The control plane has told the time. */
  timeKnown(): void {
    if (this.step !== 'held') return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), TOLD_CHECKS_WITHIN_MS);
  }

  /** Puts what stood on disk on the schedule: what the control plane tells is about that. */
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

  /** Nothing begins any more. */
  giveUp(): void {
    clearTimeout(this.timer);
    if (this.step !== 'begun') this.step = 'given up';
  }
}
