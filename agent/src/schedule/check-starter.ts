import { FairShare, type HeldSlot } from '@watchpost/shared/fair-share';
import { TurnQueue } from '../queues/turn-queue.js';
import type { ScheduledCheck } from './check-timing.js';
import type { SchedulerOptions } from './scheduler-options.js';

const MAX_START_LAG_MS = 15_000;
const TOO_LATE_A_TURN = 50;
/** What waits is looked through for checks that are too late at most this often. */
const LATE_LOOK_MS = 100;

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

/**
 * Starts checks that are due: one a turn of the event loop, the owners in turns, and nobody beyond its share of those that
 * run. A check that has waited too long gets a result that says so.
 */
export class CheckStarter {
  private readonly ready = new TurnQueue<ScheduledCheck>();
  private readonly share: FairShare;
  private pumping = false;
  private lookedForLateAt = -Infinity;
  private idleWaiters: (() => void)[] = [];

  constructor(private readonly options: StarterOptions) {
    this.share = new FairShare(options.maxRunning);
  }

  get running(): number {
    return this.share.held;
  }
  get waiting(): number {
    return this.ready.size;
  }

  /** To be followed by `pump`. */
  add(check: ScheduledCheck): void {
    check.state = 'ready';
    this.ready.add(check.spec, check);
  }

  pump(): void {
    const { clock, wakeup, isHalted } = this.options;
    if (this.pumping || isHalted() || this.waiting === 0) return;
    const now = clock.now();
    const isMoreLate = this.giveUpLate(now);
    const check = this.ready.take(now, this.refusal);
    if (check && check.state !== 'gone') this.start(check, Math.max(0, now - check.dueMs));
    if (this.waiting === 0 || (!check && !isMoreLate)) return;
    this.pumping = true;
    wakeup.soon(() => {
      this.pumping = false;
      this.pump();
    });
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  private readonly refusal = (of: Parameters<FairShare['refusal']>[0]) => this.share.refusal(of);

  /** @returns whether there may be more */
  private giveUpLate(now: number): boolean {
    // A clock that was set back does not end this.
    if (now >= this.lookedForLateAt && now < this.lookedForLateAt + LATE_LOOK_MS) return false;
    const late: { check: ScheduledCheck; lagMs: number; isOwnShare: boolean }[] = [];
    this.ready.drop((check, heldAtMs) => {
      if (check.state === 'gone') return true;
      const lagMs = now - check.dueMs;
      if (lagMs <= Math.min(check.spec.intervalMs / 2, MAX_START_LAG_MS)) return false;
      if (late.length === TOO_LATE_A_TURN) return false;
      late.push({ check, lagMs, isOwnShare: heldAtMs >= check.dueMs || this.share.holdsItsShare(check.spec) });
      return true;
    });
    for (const { check, lagMs, isOwnShare } of late) {
      this.options.tooLate(check.spec, check.slotMs, lagMs, isOwnShare ? 'ownShare' : 'agentBusy');
      this.options.onEnded(check);
    }
    const isMore = late.length === TOO_LATE_A_TURN;
    this.lookedForLateAt = isMore ? -Infinity : now;
    return isMore;
  }

  private start(check: ScheduledCheck, lagMs: number): void {
    const { run, onStart, isCaughtUp } = this.options;
    check.state = 'running';
    const slot = this.share.take(check.spec);
    onStart(lagMs, isCaughtUp(check.slotMs));
    void run(check.spec, check.slotMs).then(() => this.ended(check, slot));
  }

  private ended(check: ScheduledCheck, slot: HeldSlot): void {
    this.share.giveBack(slot);
    this.options.onEnded(check);
    if (this.running === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    this.pump();
  }
}
