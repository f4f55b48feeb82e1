import type { CheckSpec } from '@watchpost/shared/check';
import { FairShare, type HeldSlot } from '@watchpost/shared/fair-share';
import { TurnQueue } from '@watchpost/shared/queues/turn-queue';
import type { ScheduledCheck } from './check-timing.js';
import { mostStartLagMs } from './decide-scheduled-time.js';
import type { SchedulerOptions } from './scheduler-options.js';

const MOST_LATE_PER_TURN = 50;
/** The least time between two searches for checks that have waited too long. */
const LATE_SEARCH_MS = 100;

export interface StarterOptions extends Pick<
  SchedulerOptions,
  'clock' | 'wakeup' | 'maxRunning' | 'run' | 'tooLate' | 'onStart'
> {
  /** Whether no check may start now. */
  isHalted(): boolean;
  /** Whether a scheduled time is run late because the process stood still at that time. */
  isCaughtUp(scheduledAtMs: number): boolean;
  /** The time from the start of this check to that of the next one of so many waiting ones, ms; 0: it starts in the next turn. */
  apartMs(spec: CheckSpec, waiting: number): number;
  onEnded(check: ScheduledCheck): void;
}

/**
 * Starts due checks: one after the other with a pause where there is time, owners in turns, and no owner beyond its share of the running checks.
 * A check that has waited too long gets a result with that reason.
 */
export class CheckStarter {
  private readonly ready = new TurnQueue<ScheduledCheck>();
  private readonly share: FairShare;
  private pumping = false;
  /** The pause after a start, which that check cuts short by its end. */
  private pause: { after: ScheduledCheck; end(): void } | undefined;
  private searchedAt = -Infinity;
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

  /** Adds a due check; to be followed by `pump`. */
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
    const goOn = () => {
      this.pumping = false;
      this.pause = undefined;
      this.pump();
    };
    const apartMs = check ? this.options.apartMs(check.spec, this.waiting) : 0;
    if (!check || apartMs === 0) return wakeup.soon(goOn);
    const cancel = wakeup.after(apartMs, goOn);
    const end = () => {
      cancel();
      this.pause = undefined;
      wakeup.soon(goOn);
    };
    this.pause = { after: check, end };
  }

  /** Resolves when no check runs. */
  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  private readonly refusal = (of: Parameters<FairShare['refusal']>[0]) => this.share.refusal(of);

  /** @returns whether there can be more late checks */
  private giveUpLate(now: number): boolean {
    // The second condition covers a clock that was set back.
    if (now >= this.searchedAt && now < this.searchedAt + LATE_SEARCH_MS) return false;
    const late: { check: ScheduledCheck; lagMs: number; isOwnShare: boolean }[] = [];
    this.ready.drop((check, heldAtMs) => {
      if (check.state === 'gone') return true;
      const lagMs = now - check.dueMs;
      if (lagMs <= mostStartLagMs(check.spec)) return false;
      if (late.length === MOST_LATE_PER_TURN) return false;
      late.push({ check, lagMs, isOwnShare: heldAtMs >= check.dueMs || this.share.holdsItsShare(check.spec) });
      return true;
    });
    for (const { check, lagMs, isOwnShare } of late) {
      this.options.tooLate(check.spec, check.scheduledAtMs, lagMs, isOwnShare ? 'ownShare' : 'agentBusy');
      this.options.onEnded(check);
    }
    const isMore = late.length === MOST_LATE_PER_TURN;
    this.searchedAt = isMore ? -Infinity : now;
    return isMore;
  }

  private start(check: ScheduledCheck, lagMs: number): void {
    const { clock, run, onStart, isCaughtUp } = this.options;
    check.state = 'running';
    check.startedAtMs = clock.now();
    const slot = this.share.take(check.spec);
    onStart(lagMs, isCaughtUp(check.scheduledAtMs));
    void run(check.spec, check.scheduledAtMs).then(() => this.ended(check, slot));
  }

  private ended(check: ScheduledCheck, slot: HeldSlot): void {
    this.share.giveBack(slot);
    this.options.onEnded(check);
    if (this.pause?.after === check) this.pause.end();
    if (this.running === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    this.pump();
  }
}
