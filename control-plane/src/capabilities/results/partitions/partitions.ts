import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import type { Database } from '../../../platform/db/database.js';
import { dayOf, storedDays, createPartitions, dropPartitionsBefore, type Day } from './partition-store.js';

/** Partitions exist for this many days ahead, so that a job may fail for days without harm. */
const AHEAD_DAYS = 7;

/** The daily partitions of results: created ahead and on demand, dropped after retention. */
export class Partitions {
  /** Days whose partitions exist; a cache of this process. */
  private known = new Set<Day>();

  constructor(private readonly deps: { db: Database; clock: Clock; retentionDays: number }) {}

  /** The earliest scheduled time of which results are kept, ms since the epoch. */
  oldestMs(): number {
    return this.deps.clock.now() - this.deps.retentionDays * DAY_MS;
  }

  /** Creates the partitions of today and the next days: at start, and by a job. */
  async makeAhead(): Promise<void> {
    const today = dayOf(this.deps.clock.now());
    this.known.clear();
    await this.ensure(Array.from({ length: AHEAD_DAYS + 1 }, (_, offset) => today + offset));
  }

  /** Creates the partitions for results of these times where they are missing. */
  async ensureFor(momentsMs: Iterable<number>): Promise<void> {
    const days = new Set<Day>();
    for (const ms of momentsMs) days.add(dayOf(ms));
    await this.ensure([...days]);
  }

  /**
   * Drops the partitions that are more than a day past retention. By a job.
   * @param rolledUpUntilMs results scheduled later are not in the rollups yet and are kept
   * @returns the number of dropped tables
   */
  async dropExpired(rolledUpUntilMs = Infinity): Promise<number> {
    const first = Math.min(dayOf(this.oldestMs()) - 1, dayOf(rolledUpUntilMs));
    for (const day of this.known) if (day < first) this.known.delete(day);
    return this.deps.db.read((connection) => dropPartitionsBefore(connection, first));
  }

  private async ensure(days: readonly Day[]): Promise<void> {
    if (days.every((day) => this.known.has(day))) return;
    const existing = await this.deps.db.read((tx) => storedDays(tx));
    for (const day of days) {
      if (!existing.has(day)) await this.deps.db.transaction((tx) => createPartitions(tx, day));
      this.known.add(day);
    }
  }
}
