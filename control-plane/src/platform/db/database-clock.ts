import type { Clock } from '@watchpost/shared/clock';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import { describeClockOffset, readClockOffset } from './clock-offset.js';
import type { Database } from './database.js';

/** From so much on the time is the database's. Clocks that are kept right differ by less, and are left alone. */
const FOLLOW_MS = SECOND_MS;
/** The database is asked so often, and at once where the clock of this machine was set. */
const ASK_MS = MINUTE_MS;
/** With so much, what is decided by the machine's clock alone may be wrong for good. */
const WRONG_MS = 10 * MINUTE_MS;

/**
 * The time by which a process decides: that of its machine, corrected where the database's differs. So all processes of an
 * installation agree, and one whose machine is hours off gives agents no scheduled times of tomorrow. Where the clock of the
 * machine is set, the time goes on as before until the database was asked.
 */
export class DatabaseClock implements Clock {
  /** How far the time is ahead of the monotonic clock, ms. */
  private leadMs = machineLeadMs();
  /** How far the clock of the machine is ahead of the time, ms. */
  private aheadMs = 0;
  private asked: { atMs: number; leadMs: number } | undefined;

  constructor(
    private readonly db: Pick<Database, 'read'>,
    private readonly logger: Logger,
  ) {}

  now(): number {
    return Math.floor(performance.now() + this.leadMs);
  }

  /** To be called at the start, and every few seconds. */
  async follow(): Promise<void> {
    const [atMs, leadMs] = [performance.now(), machineLeadMs()];
    const { asked } = this;
    if (asked && atMs < asked.atMs + ASK_MS && Math.abs(leadMs - asked.leadMs) < FOLLOW_MS) return;
    const offsetMs = await this.db.read(readClockOffset);
    this.asked = { atMs, leadMs };
    // As long as it is about the same, so that the time does not jump by what an answer takes.
    if (Math.abs(offsetMs - this.aheadMs) >= FOLLOW_MS) this.correctBy(Math.abs(offsetMs) < FOLLOW_MS ? 0 : offsetMs);
    this.leadMs = machineLeadMs() - this.aheadMs;
  }

  /** @throws where the machine's clock is wrong by more than ten minutes: what goes by that one must not run then */
  async requireRightMachine(): Promise<void> {
    await this.follow();
    const { aheadMs } = this;
    if (Math.abs(aheadMs) > WRONG_MS) throw new Error(`${describeClockOffset(aheadMs)} Until then no job runs here.`);
  }

  private correctBy(offsetMs: number): void {
    this.aheadMs = offsetMs;
    const text =
      describeClockOffset(offsetMs) ?? 'The clocks of this process and of the database agree to a few seconds.';
    this.logger.warn({ aheadMs: Math.round(offsetMs) }, text);
  }
}

/** How far the clock of this machine is ahead of the monotonic one, ms: it changes when somebody sets it. */
export function machineLeadMs(): number {
  return Date.now() - performance.now();
}
