import { checkCode, type CheckKey, type CheckSpec } from '@watchpost/shared/check';
import { CheckStarter } from './check-starter.js';
import {
  canBeginAgain,
  firstOwnTime,
  newCheck,
  nextOwnTime,
  passedThroughMs,
  resumeTiming,
  type IsCompleted,
  type ScheduledCheck,
  Pace,
} from './check-timing.js';
import { CATCH_UP_MS, firstScheduledAt } from './decide-scheduled-time.js';
import { DueHeap } from './due-heap.js';
import { Gathering } from './gathering.js';
import type { RestoredCheck, SchedulerOptions } from './scheduler-options.js';

/** The longest sleep, so that a suspension or a step of the clock is noticed. */
const MAX_SLEEP_MS = 1_000;
/** Timers have whole ms: waiting for the fraction would cost every check a second wake-up. */
const TIMER_GRAIN_MS = 1;
/** After this long without a tick, the control plane may have given the checks to other agents. */
const STANDSTILL_MS = 5_000;
/** Nothing is caught up on after this time, so completed times are not needed any more. */
const COMPLETED_KEPT_MS = 120_000;
const neverCompleted = () => false;

/**
 * All checks of an agent on one heap and one timer. A check never overlaps itself, and begins in a group: one start a turn of the
 * event loop or less, because simultaneous starts would distort each other's phase timings.
 */
export class Scheduler {
  private readonly checks = new Map<number, ScheduledCheck>();
  private readonly heap = new DueHeap<ScheduledCheck>();
  private readonly gathering = new Gathering();
  private readonly starter: CheckStarter;
  private cancelTimer: (() => void) | undefined;
  private armedFor = Infinity;
  private awaitsOwnership = false;
  private stopped = true;
  private readonly overdue = new Pace();
  private lastTick = Infinity;
  private resumedAt = -Infinity;
  private isCompleted: IsCompleted = neverCompleted;

  constructor(private readonly options: SchedulerOptions) {
    this.starter = new CheckStarter({
      ...options,
      isHalted: () => this.stopped || this.awaitsOwnership,
      isCaughtUp: (scheduledAtMs) => scheduledAtMs <= this.resumedAt,
      apartMs: (spec, waiting) => this.gathering.apartMs(spec, waiting),
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

  /** Begins with the checks that were on disk: recent missed times are caught up on, except those that are completed or must not begin again. */
  restore(restored: Iterable<RestoredCheck>, isCompleted: IsCompleted): void {
    this.isCompleted = isCompleted;
    const now = this.options.clock.now();
    for (const { spec, assignedAtMs } of restored) {
      const canCatchUp = canBeginAgain(spec);
      const check = this.add(spec, canCatchUp ? Math.max(now - CATCH_UP_MS - 1, assignedAtMs) : now);
      const first = firstScheduledAt(spec, now, -Infinity);
      const isOpenChange = canCatchUp && first === spec.changedAtMs && !isCompleted(checkCode(spec.key), first);
      check.scheduledAtMs = isOpenChange ? first : nextOwnTime(check, check.excludedThroughMs, isCompleted);
    }
    this.resume(now);
  }

  /** @param completedThroughMs from a handover: later scheduled times are this agent's, even if another agent had the check */
  upsert(spec: CheckSpec, completedThroughMs?: number): void {
    const known = this.checks.get(checkCode(spec.key));
    const now = this.options.clock.now();
    if (!known) return this.begin(this.add(spec, now), completedThroughMs, now);
    const before = known.spec;
    known.spec = spec;
    this.gathering.remove(before);
    this.gathering.add(spec);
    const isSameSchedule =
      before.changedAtMs === spec.changedAtMs &&
      before.intervalMs === spec.intervalMs &&
      before.phaseMs === spec.phaseMs;
    // A run in progress, or one that was due before the change, goes on with the new settings; the new schedule follows it.
    if (isSameSchedule && completedThroughMs !== undefined) this.takeOver(known, completedThroughMs, now);
    if (isSameSchedule || known.state !== 'waiting' || known.scheduledAtMs <= Math.min(now, spec.changedAtMs)) return;
    this.heap.remove(known);
    known.excludedThroughMs = now;
    this.wait(known, firstScheduledAt(spec, now, known.lastScheduledAtMs), now);
  }

  /** Removes a check. A scheduled time that fell due before is still run; the new owner begins with the next one. */
  remove(key: CheckKey): void {
    const check = this.checks.get(checkCode(key));
    if (!check) return;
    const isDue =
      check.state === 'ready' || (check.state === 'waiting' && check.scheduledAtMs <= this.options.clock.now());
    if (!isDue || this.stopped) return this.drop(check);
    this.forget(check);
    check.isRemoved = true;
  }

  /**
   * Replaces the whole schedule.
   * @param handovers by check code, the newest completed scheduled time of each check that this agent owned before now;
   * undefined where the control plane does not know
   */
  replaceAll(specs: readonly CheckSpec[], handovers?: ReadonlyMap<number, number>): void {
    const kept = new Set(specs.map((spec) => checkCode(spec.key)));
    const now = this.options.clock.now();
    for (const [id, check] of this.checks) {
      if (kept.has(id)) continue;
      if (this.isMissed(check, now)) this.drop(check);
      else this.remove(check.spec.key);
    }
    for (const spec of specs) {
      const id = checkCode(spec.key);
      const known = this.checks.get(id);
      this.upsert(spec, handovers?.get(id));
      // Without a handover, another agent owned the missed times of this check.
      if (known && handovers && this.isMissed(known, now)) this.begin(known, handovers.get(id), now);
    }
  }

  start(): void {
    this.stopped = false;
    this.lastTick = this.options.clock.now();
    this.tick();
  }

  /** Starts no more checks; running ones go on. */
  stop(): void {
    this.stopped = true;
    this.cancelTimer?.();
    this.armedFor = Infinity;
  }

  /** Resolves when no check runs. */
  idle(): Promise<void> {
    return this.starter.idle();
  }

  /** Whether a scheduled time passed while this agent ran no checks. One that fell due since its last tick did not. */
  private isMissed({ state, scheduledAtMs }: ScheduledCheck, now: number): boolean {
    const stoodStill = this.awaitsOwnership || now > this.lastTick + STANDSTILL_MS;
    return (
      state === 'waiting' && this.gathering.startOf(scheduledAtMs) <= (stoodStill ? now : Math.min(now, this.lastTick))
    );
  }

  private add(spec: CheckSpec, excludedThroughMs: number): ScheduledCheck {
    const check = newCheck(spec, excludedThroughMs);
    this.checks.set(checkCode(spec.key), check);
    this.gathering.add(spec);
    return check;
  }

  private forget({ spec }: ScheduledCheck): void {
    this.checks.delete(checkCode(spec.key));
    this.gathering.remove(spec);
  }

  private drop(check: ScheduledCheck): void {
    this.forget(check);
    this.heap.remove(check);
    check.state = 'gone';
  }

  /** A handover can contain an earlier scheduled time than the next one. A running one is newer than any of those. */
  private takeOver(check: ScheduledCheck, completedThroughMs: number, now: number): void {
    if (
      check.state === 'waiting' &&
      firstOwnTime(check, now, completedThroughMs, this.isCompleted) < check.scheduledAtMs
    )
      this.begin(check, completedThroughMs, now);
  }

  private begin(check: ScheduledCheck, completedThroughMs: number | undefined, now: number): void {
    const scheduledAtMs = firstOwnTime(check, now, completedThroughMs, this.isCompleted);
    this.heap.remove(check);
    check.excludedThroughMs = completedThroughMs === undefined ? now : Math.min(now, scheduledAtMs - 1);
    this.wait(check, scheduledAtMs, now);
  }

  private wait(check: ScheduledCheck, scheduledAtMs: number, now: number): void {
    check.state = 'waiting';
    check.scheduledAtMs = scheduledAtMs;
    check.dueMs = this.dueOf(scheduledAtMs, now);
    this.heap.push(check);
    this.arm(now);
  }

  private dueOf(scheduledAtMs: number, now: number): number {
    return scheduledAtMs <= now ? this.overdue.next(now) : this.gathering.startOf(scheduledAtMs);
  }

  private advance(check: ScheduledCheck): void {
    const now = this.options.clock.now();
    check.lastScheduledAtMs = passedThroughMs(check, now, this.isCompleted);
    if (check.state === 'gone' || check.isRemoved) return;
    const scheduledAtMs = nextOwnTime(check, check.lastScheduledAtMs, this.isCompleted);
    this.wait(check, scheduledAtMs, now);
    // Catching up is not lag, and neither is a change; any other overrun counts as lag from its scheduled time on.
    if (scheduledAtMs <= now && scheduledAtMs > this.resumedAt && scheduledAtMs !== check.spec.changedAtMs) {
      check.dueMs = scheduledAtMs;
      this.heap.moved(check);
    }
  }

  /** Corrects every waiting check after a standstill or a step of the clock, and spaces the overdue ones. */
  private resume(now: number): void {
    this.resumedAt = now;
    this.overdue.restart();
    let skipped = 0;
    const waiting: ScheduledCheck[] = [];
    for (const check of this.checks.values()) {
      if (check.state !== 'waiting') continue;
      waiting.push(check);
      skipped += resumeTiming(check, now, this.isCompleted);
    }
    this.pace(waiting, now);
    if (skipped > 0) this.options.onSkipped(skipped);
    this.arm(now);
  }

  private pace(checks: Iterable<ScheduledCheck>, now: number): void {
    const waiting = [...checks].toSorted((a, b) => a.scheduledAtMs - b.scheduledAtMs);
    for (const check of waiting) check.dueMs = this.dueOf(check.scheduledAtMs, now);
    this.heap.rebuild(waiting);
  }

  private awaitOwnership(): void {
    const { afterStandstill } = this.options;
    if (!afterStandstill || this.awaitsOwnership) return;
    this.awaitsOwnership = true;
    void afterStandstill().then(() => {
      this.awaitsOwnership = false;
      const now = this.options.clock.now();
      this.lastTick = this.resumedAt = now;
      this.pace(this.heap.values(), now);
      this.tick();
    });
  }

  private arm(now: number): void {
    const nextMs = Math.min(this.heap.peek()?.dueMs ?? Infinity, now + MAX_SLEEP_MS);
    if (this.stopped || this.awaitsOwnership || nextMs >= this.armedFor) return;
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
    if (now > this.resumedAt + COMPLETED_KEPT_MS) this.isCompleted = neverCompleted;
    if (now > this.lastTick + STANDSTILL_MS) this.awaitOwnership();
    if (now > this.lastTick + CATCH_UP_MS || now < this.lastTick - MAX_SLEEP_MS) this.resume(now);
    this.lastTick = now;
    if (this.awaitsOwnership) return;
    for (let check = this.heap.peek(); check && check.dueMs <= now + TIMER_GRAIN_MS; check = this.heap.peek()) {
      this.heap.pop();
      this.starter.add(check);
    }
    this.starter.pump();
    this.arm(now);
  }
}
