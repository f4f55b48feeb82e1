import { Fifo } from '../fifo.js';
import type { ScheduledCheck } from './check-timing.js';
import type { SchedulerOptions } from './scheduler-options.js';

const MAX_START_LAG_MS = 15_000;
const TOO_LATE_A_TURN = 50;

export interface StarterOptions extends Pick<
  SchedulerOptions,
  'clock' | 'wakeup' | 'maxRunning' | 'run' | 'tooLate' | 'onStart'
> {
  /** Whether nothing may start now. */
  isHalted(): boolean;
  /** Whether a slot is run late because nobody was there at its time. */
  isCaughtUp(slotMs: number): boolean;
  /** A check is through with its slot. */
  onEnded(check: ScheduledCheck): void;
}

/** Starts checks that are due, one a turn of the event loop and not too many at once; what waited for too long is told instead. */
export class CheckStarter {
  private readonly ready = new Fifo<ScheduledCheck>();
  private runningCount = 0;
  private pumping = false;
  private idleWaiters: (() => void)[] = [];

  constructor(private readonly options: StarterOptions) {}

  get running(): number {
    return this.runningCount;
  }
  get waiting(): number {
    return this.ready.size;
  }

  /** To be followed by `pump`. */
  add(check: ScheduledCheck): void {
    check.state = 'ready';
    this.ready.push(check);
  }

  pump(): void {
    const { clock, wakeup, maxRunning, isHalted, tooLate, onEnded } = this.options;
    if (this.pumping || isHalted()) return;
    const now = clock.now();
    let lateOnes = 0;
    while (this.waiting > 0 && lateOnes < TOO_LATE_A_TURN && this.runningCount < maxRunning) {
      const check = this.ready.shift()!;
      if (check.state === 'gone') continue;
      const lagMs = Math.max(0, now - check.dueMs);
      if (lagMs > Math.min(check.spec.intervalMs / 2, MAX_START_LAG_MS)) {
        tooLate(check.spec, check.slotMs, lagMs);
        onEnded(check);
        lateOnes++;
        continue;
      }
      this.start(check, lagMs);
      break;
    }
    if (this.waiting === 0 || this.runningCount >= maxRunning) return;
    this.pumping = true;
    wakeup.soon(() => {
      this.pumping = false;
      this.pump();
    });
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    if (this.runningCount === 0) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  private start(check: ScheduledCheck, lagMs: number): void {
    const { run, onStart, isCaughtUp } = this.options;
    check.state = 'running';
    this.runningCount++;
    onStart(lagMs, isCaughtUp(check.slotMs));
    void run(check.spec, check.slotMs).then(() => this.ended(check));
  }

  private ended(check: ScheduledCheck): void {
    this.runningCount--;
    this.options.onEnded(check);
    if (this.runningCount === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    this.pump();
  }
}
