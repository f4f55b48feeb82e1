import { checkCode, type CheckKey, type CheckSpec } from '@watchpost/shared/check';
import { CheckStarter } from './check-starter.js';
import {
  firstLeftOver,
  newCheck,
  nextOwnSlot,
  resumeTiming,
  type IsCompleted,
  type ScheduledCheck,
  Pace,
} from './check-timing.js';
import { CATCH_UP_MS, firstDue } from './decide-next-due.js';
import { DueHeap } from './due-heap.js';
import type { RestoredCheck, SchedulerOptions } from './scheduler-options.js';

/** The timer never sleeps longer, so that a suspended or stepped clock is noticed. */
const MAX_SLEEP_MS = 1_000;
/** Timers are whole ms: waiting for the fraction would cost a second wake-up for every check. */
const TIMER_GRAIN_MS = 1;
/** Whoever did nothing for so long may have been taken for dead. */
const STANDSTILL_MS = 5_000;
/** Everything that could be caught up with is, long before. */
const DONE_KEPT_MS = 120_000;
const neverDone = () => false;

/**
 * All checks of an agent on one heap and one timer. A check never overlaps itself; one start a turn of the
 * event loop, because starts in a clump would spoil each other's phase timings.
 */
export class Scheduler {
  private readonly checks = new Map<number, ScheduledCheck>();
  private readonly heap = new DueHeap<ScheduledCheck>();
  private readonly starter: CheckStarter;
  private cancelTimer: (() => void) | undefined;
  private armedFor = Infinity;
  private isUnsure = false;
  private stopped = true;
  private readonly overdue = new Pace();
  private lastTick = Infinity;
  private resumedAt = -Infinity;
  private isCompleted: IsCompleted = neverDone;

  constructor(private readonly options: SchedulerOptions) {
    this.starter = new CheckStarter({
      ...options,
      isHalted: () => this.stopped || this.isUnsure,
      isCaughtUp: (slotMs) => slotMs <= this.resumedAt,
      onEnded: (check) => this.advance(check),
    });
  }

  get size(): number {
    return this.checks.size;
  }
  get running(): number {
    return this.starter.running;
  }
  get waiting(): number {
    return this.starter.waiting;
  }

  *specs(): Generator<CheckSpec> {
    for (const check of this.checks.values()) yield check.spec;
  }

  /** Begins with what stood on disk: slots missed while down are caught up, except those that are done. */
  restore(restored: Iterable<RestoredCheck>, isCompleted: IsCompleted): void {
    this.isCompleted = isCompleted;
    const now = this.options.clock.now();
    for (const { spec, assignedAtMs } of restored) {
      const check = this.add(spec, Math.max(now - CATCH_UP_MS - 1, assignedAtMs));
      const first = firstDue(spec, now, -Infinity);
      const isOpenChange = first === spec.changedAtMs && !isCompleted(checkCode(spec.key), first);
      check.slotMs = isOpenChange ? first : nextOwnSlot(check, check.floorMs, isCompleted);
    }
    this.resume(now);
  }

  /** @param completedThroughMs what fell due since is ours, also where another agent had the check: the newest slot that is done */
  upsert(spec: CheckSpec, completedThroughMs?: number): void {
    const known = this.checks.get(checkCode(spec.key));
    const now = this.options.clock.now();
    if (!known) return this.begin(this.add(spec, now), completedThroughMs, now);
    const before = known.spec;
    known.spec = spec;
    const sameSlots =
      before.changedAtMs === spec.changedAtMs &&
      before.intervalMs === spec.intervalMs &&
      before.phaseMs === spec.phaseMs;
    // a slot that is under way, or was due before the change, is run as it is: the new slots follow from it
    if (sameSlots && completedThroughMs !== undefined) this.owe(known, completedThroughMs, now);
    if (sameSlots || known.state !== 'waiting' || known.slotMs <= Math.min(now, spec.changedAtMs)) return;
    this.heap.remove(known);
    known.floorMs = now;
    this.wait(known, firstDue(spec, now, known.lastSlotMs), now);
  }

  /** What fell due before is still run: whoever takes over begins with what falls due then. */
  remove(key: CheckKey): void {
    const check = this.checks.get(checkCode(key));
    if (!check) return;
    const isDue = check.state === 'ready' || (check.state === 'waiting' && check.slotMs <= this.options.clock.now());
    if (!isDue || this.stopped) return this.drop(check);
    this.checks.delete(checkCode(key));
    check.isLeaving = true;
  }

  /**
   * Makes the schedule exactly this.
   * @param owed where it is known what others have done: of each check that is ours since before now, the newest slot that is done
   */
  replaceAll(specs: readonly CheckSpec[], owed?: ReadonlyMap<number, number>): void {
    const kept = new Set(specs.map((spec) => checkCode(spec.key)));
    for (const [id, check] of this.checks) if (!kept.has(id)) this.drop(check);
    const now = this.options.clock.now();
    for (const spec of specs) {
      const id = checkCode(spec.key);
      const known = this.checks.get(id);
      this.upsert(spec, owed?.get(id));
      // what was missed is not ours where nothing is owed, whatever we thought
      if (known?.state === 'waiting' && owed && known.slotMs <= now) this.begin(known, owed.get(id), now);
    }
  }

  start(): void {
    this.stopped = false;
    this.lastTick = this.options.clock.now();
    this.tick();
  }

  /** Starts nothing more; what runs goes on. */
  stop(): void {
    this.stopped = true;
    this.cancelTimer?.();
    this.armedFor = Infinity;
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    return this.starter.idle();
  }

  private add(spec: CheckSpec, floorMs: number): ScheduledCheck {
    const check = newCheck(spec, floorMs);
    this.checks.set(checkCode(spec.key), check);
    return check;
  }

  private drop(check: ScheduledCheck): void {
    this.checks.delete(checkCode(check.spec.key));
    this.heap.remove(check);
    check.state = 'gone';
  }

  /** An earlier slot than the one that comes next may be ours. One that is under way is newer than any that could be. */
  private owe(check: ScheduledCheck, completedThroughMs: number, now: number): void {
    if (check.state === 'waiting' && firstLeftOver(check, now, completedThroughMs, this.isCompleted) < check.slotMs)
      this.begin(check, completedThroughMs, now);
  }

  private begin(check: ScheduledCheck, completedThroughMs: number | undefined, now: number): void {
    const slotMs = firstLeftOver(check, now, completedThroughMs, this.isCompleted);
    this.heap.remove(check);
    check.floorMs = completedThroughMs === undefined ? now : Math.min(now, slotMs - 1);
    this.wait(check, slotMs, now);
  }

  private wait(check: ScheduledCheck, slotMs: number, now: number): void {
    check.state = 'waiting';
    check.slotMs = slotMs;
    check.dueMs = slotMs <= now ? this.overdue.next(now) : slotMs;
    this.heap.push(check);
    this.arm(now);
  }

  private advance(check: ScheduledCheck): void {
    check.lastSlotMs = check.slotMs;
    if (check.state === 'gone' || check.isLeaving) return;
    const now = this.options.clock.now();
    const slotMs = nextOwnSlot(check, check.slotMs, this.isCompleted);
    this.wait(check, slotMs, now);
    // what we catch up with is not late, and nor is a change; any other overrun counts as lag from its slot on
    if (slotMs <= now && slotMs > this.resumedAt && slotMs !== check.spec.changedAtMs) {
      check.dueMs = slotMs;
      this.heap.moved(check);
    }
  }

  /** Sorts out every waiting check after a standstill or a jump of the clock, without a storm. */
  private resume(now: number): void {
    this.resumedAt = now;
    this.overdue.restart();
    let dropped = 0;
    const waiting: ScheduledCheck[] = [];
    for (const check of this.checks.values()) {
      if (check.state !== 'waiting') continue;
      waiting.push(check);
      dropped += resumeTiming(check, now, this.isCompleted);
    }
    this.pace(waiting, now);
    if (dropped > 0) this.options.onDropped(dropped);
    this.arm(now);
  }

  private pace(checks: Iterable<ScheduledCheck>, now: number): void {
    const waiting = [...checks].toSorted((a, b) => a.slotMs - b.slotMs);
    for (const check of waiting) check.dueMs = check.slotMs <= now ? this.overdue.next(now) : check.slotMs;
    this.heap.rebuild(waiting);
  }

  private becomeUnsure(): void {
    const { afterStandstill } = this.options;
    if (!afterStandstill || this.isUnsure) return;
    this.isUnsure = true;
    void afterStandstill().then(() => {
      this.isUnsure = false;
      const now = this.options.clock.now();
      this.lastTick = this.resumedAt = now;
      this.pace(this.heap.values(), now);
      this.tick();
    });
  }

  private arm(now: number): void {
    const nextMs = Math.min(this.heap.peek()?.dueMs ?? Infinity, now + MAX_SLEEP_MS);
    if (this.stopped || this.isUnsure || nextMs >= this.armedFor) return;
    this.cancelTimer?.();
    const sleepMs = Math.max(0, Math.floor(nextMs - now));
    this.armedFor = now + sleepMs;
    this.cancelTimer = this.options.wakeup.after(sleepMs, () => this.tick());
  }

  private tick(): void {
    this.armedFor = Infinity;
    if (this.stopped) return;
    this.options.clock.refresh?.();
    const now = this.options.clock.now();
    if (now > this.resumedAt + DONE_KEPT_MS) this.isCompleted = neverDone;
    if (now > this.lastTick + STANDSTILL_MS) this.becomeUnsure();
    if (now > this.lastTick + CATCH_UP_MS || now < this.lastTick - MAX_SLEEP_MS) this.resume(now);
    this.lastTick = now;
    if (this.isUnsure) return;
    for (let check = this.heap.peek(); check && check.dueMs <= now + TIMER_GRAIN_MS; check = this.heap.peek()) {
      this.heap.pop();
      this.starter.add(check);
    }
    this.starter.pump();
    this.arm(now);
  }
}
