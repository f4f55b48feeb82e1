import { setImmediate } from 'node:timers';
import type { CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';

/** Why a check did not start: the agent was busy, or the check's owner held its whole share of the agent. */
export type LateCause = 'agentBusy' | 'ownShare';

export interface SchedulerOptions {
  clock: Clock & { refresh?(): void };
  wakeup: Wakeup;
  maxRunning: number;
  /** Runs one check. Must not reject. */
  run(spec: CheckSpec, slotMs: number): Promise<void>;
  /** A check that could not start in time and is not run any more: it gets a result all the same. */
  tooLate(spec: CheckSpec, slotMs: number, lagMs: number, cause: LateCause): void;
  onStart(lagMs: number, caughtUp: boolean): void;
  /** Resolves when it is clear whose the slots are that passed while the process stood still; until then nothing starts. */
  afterStandstill?(): Promise<void>;
  /** Slots that nobody checked, because the agent stood still for longer than the catch-up bound. */
  onDropped(slots: number): void;
}

/** What stands on disk about a check when the agent starts. */
export interface RestoredCheck {
  spec: CheckSpec;
  /** Slots up to this were another agent's, ms since the epoch. */
  assignedAtMs: number;
}

/** How the scheduler is woken; a seam, so that tests move time instead of waiting for it. */
export interface Wakeup {
  /** Calls once after `delayMs`; the answer takes it back. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls once after the sockets had their turn. */
  soon(callback: () => void): void;
}

export const systemWakeup: Wakeup = {
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  soon(callback) {
    setImmediate(callback);
  },
};
