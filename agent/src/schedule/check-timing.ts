import { checkCode, type CheckSpec } from '@watchpost/shared/check';
import { CATCH_UP_MS, firstDue, firstOwed, nextDue } from './decide-next-due.js';
import type { Due } from './due-heap.js';

/** A check on the schedule. */
export interface ScheduledCheck extends Due {
  spec: CheckSpec;
  /** The slot that comes next, or is being run. `dueMs` is when we start it: later where it is caught up. */
  slotMs: number;
  lastSlotMs: number;
  /** Regular slots up to this are not ours to run: another agent's, or too old. */
  floorMs: number;
  state: 'waiting' | 'ready' | 'running' | 'gone';
  /** Taken away since: the slot that was due before is still run, and no other. */
  isLeaving: boolean;
}

export function newCheck(spec: CheckSpec, floorMs: number): ScheduledCheck {
  const unset = { slotMs: 0, dueMs: 0, heapIndex: -1, lastSlotMs: -Infinity, isLeaving: false };
  return { spec, floorMs, state: 'waiting', ...unset };
}

/** Tells whether this agent has a slot's result already, from before its restart. */
export type IsCompleted = (id: number, slotMs: number) => boolean;

/** The first slot after `afterMs` that is this agent's to run and not done. */
export function nextOwnSlot(check: ScheduledCheck, afterMs: number, isCompleted: IsCompleted): number {
  const { spec, floorMs } = check;
  let slot = nextDue(spec, afterMs);
  if (slot !== spec.changedAtMs) slot = nextDue(spec, Math.max(afterMs, floorMs));
  while (isCompleted(checkCode(spec.key), slot)) slot = nextDue(spec, slot);
  return slot;
}

/**
 * The first slot of a check that is this agent's, where it is told what others have done.
 * @param completedThroughMs the newest slot that is done, as far as they know; undefined: all until now
 */
export function firstLeftOver(
  check: ScheduledCheck,
  now: number,
  completedThroughMs: number | undefined,
  isCompleted: IsCompleted,
): number {
  const { spec, lastSlotMs } = check;
  let slot =
    completedThroughMs === undefined
      ? firstDue(spec, now, lastSlotMs)
      : firstOwed(spec, now, Math.max(completedThroughMs, lastSlotMs));
  while (isCompleted(checkCode(spec.key), slot)) slot = nextDue(spec, slot);
  return slot;
}

/**
 * Sets a waiting check right after a standstill or a jump of the clock.
 * @returns how many slots are too old to be run late
 */
export function resumeTiming(check: ScheduledCheck, now: number, isCompleted: IsCompleted): number {
  // a clock that was set back by more than a moment: what ran "in the future" does not count
  if (check.lastSlotMs > now + 60_000) check.lastSlotMs = -Infinity;
  check.floorMs = Math.min(check.floorMs, now);
  const isChange = check.slotMs === check.spec.changedAtMs && now - check.slotMs <= check.spec.intervalMs;
  if (check.slotMs >= now - CATCH_UP_MS || isChange) {
    check.slotMs = Math.min(check.slotMs, nextDue(check.spec, Math.max(now, check.lastSlotMs)));
    return 0;
  }
  const dropped = Math.max(1, Math.floor((now - CATCH_UP_MS - check.slotMs) / check.spec.intervalMs));
  check.floorMs = Math.max(check.floorMs, now - CATCH_UP_MS - 1);
  check.slotMs = nextOwnSlot(check, check.floorMs, isCompleted);
  return dropped;
}

/** What is overdue all at once is started this far apart: 400 a second, besides the regular load. */
const PACE_MS = 2.5;

/** When each of many things that are overdue is to start. */
export class Pace {
  private until = -Infinity;

  next(now: number): number {
    this.until = Math.max(now, this.until + PACE_MS);
    return this.until;
  }

  restart(): void {
    this.until = -Infinity;
  }
}
