import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import type { Database } from '../../../platform/db/database.js';
import { dayOf, partitionStore, type Day } from './partition-store.js';

/** So many days ahead of today are ready, so that a job that fails for days harms nothing. */
const AHEAD_DAYS = 7;

/** The daily partitions of results: made ahead and on demand, dropped when their time is over. */
export class Partitions {
  /** Days that are known to be there. Only this process's memory: the database decides. */
  private known = new Set<Day>();

  constructor(private readonly deps: { db: Database; clock: Clock; retentionDays: number }) {}

  /** The earliest moment of which results are kept, ms since the epoch. */
  oldestMs(): number {
    return this.deps.clock.now() - this.deps.retentionDays * DAY_MS;
  }

  /** Makes today's partition and those of the next days: at start, and by a job. */
  async makeAhead(): Promise<void> {
    const today = dayOf(this.deps.clock.now());
    this.known.clear();
    await this.ensure(Array.from({ length: AHEAD_DAYS + 1 }, (_, offset) => today + offset));
  }

  /** Makes sure that results of these moments have a place; costs nothing where they have. */
  async ensureFor(momentsMs: Iterable<number>): Promise<void> {
    const days = new Set<Day>();
    for (const ms of momentsMs) days.add(dayOf(ms));
    await this.ensure([...days]);
  }

  /**
   * Drops what is past retention, with a day to spare. By a job.
   * @param rolledUpUntilMs what was due later is in no rollup yet, and stays
   * @returns how many tables went
   */
  async dropExpired(rolledUpUntilMs = Infinity): Promise<number> {
    const first = Math.min(dayOf(this.oldestMs()) - 1, dayOf(rolledUpUntilMs));
    for (const day of this.known) if (day < first) this.known.delete(day);
    return this.deps.db.read((connection) => partitionStore.dropBefore(connection, first));
  }

  private async ensure(days: readonly Day[]): Promise<void> {
    if (days.every((day) => this.known.has(day))) return;
    const there = await this.deps.db.read((tx) => partitionStore.days(tx));
    for (const day of days) {
      if (!there.has(day)) await this.deps.db.transaction((tx) => partitionStore.create(tx, day));
      this.known.add(day);
    }
  }
}
