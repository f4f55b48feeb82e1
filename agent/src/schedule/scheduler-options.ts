import { setImmediate } from 'node:timers';
import type { CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';

/** Why a check did not start: the agent was busy, or the check's owner used its whole share of the agent. */
export type LateCause = 'agentBusy' | 'ownShare';

export interface SchedulerOptions {
  clock: Clock & { refresh?(): void };
  wakeup: Wakeup;
  maxRunning: number;
  /** Runs one check. Must not reject. */
  run(spec: CheckSpec, scheduledAtMs: number): Promise<void>;
  /** A check could not start in time and is not run: it needs a result nevertheless. */
  tooLate(spec: CheckSpec, scheduledAtMs: number, lagMs: number, cause: LateCause): void;
  onStart(lagMs: number, caughtUp: boolean): void;
  /** Resolves when it is known who owns the scheduled times that passed in a standstill; nothing starts before. */
  afterStandstill?(): Promise<void>;
  /** Scheduled times that are not run, because the agent stood still for longer than it catches up. */
  onSkipped(times: number): void;
}

/** A check that was on disk when the agent started. */
export interface RestoredCheck {
  spec: CheckSpec;
  /** Scheduled times up to this one belong to another agent, ms since the epoch. */
  assignedAtMs: number;
}

/** The timers of the scheduler, so that tests can move time. */
export interface Wakeup {
  /** Calls once after `delayMs`. @returns cancels the call */
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
