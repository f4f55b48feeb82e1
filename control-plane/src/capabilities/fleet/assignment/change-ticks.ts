import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database } from '../../../platform/db/database.js';
import { untilBeat } from '../../../platform/jobs/beat.js';
import type { MonitorChecks, MonitorCheckSource } from '../../monitors/index.js';

/** So many changes at once are sent as a snapshot. */
export const CHANGE_LIMIT = 2_000;
/** Changes within this time are read together, ms. */
const COALESCE_MS = 20;

export interface Changes {
  monitors: MonitorChecks[];
  horizon: number;
}

export interface TimedChanges extends Changes {
  /** When the changes were read, by the monotonic clock. */
  readAt: number;
}

/** One reading of changes. Sessions that read from the same revision share one query. */
export interface Tick {
  readonly number: number;
  /** @param notBefore by the monotonic clock: a query that began earlier is not shared */
  read(since: number, notBefore: number): Promise<TimedChanges>;
}

export interface ChangeTickOptions {
  db: Database;
  checks: MonitorCheckSource;
  bus: Bus;
  /** How often changes are read without a message on the bus, because messages can be lost. */
  pollMs: number;
  /** The same while the bus is disconnected. */
  deafPollMs: number;
  onTick(tick: Tick): void;
}

/** Produces a tick when monitors may have changed: on a message of the bus, and periodically. */
export class ChangeTicks {
  private count = 0;
  private soon: NodeJS.Timeout | undefined;
  private poll: NodeJS.Timeout;
  private readonly unsubscribe: (() => void)[];
  latest: Tick;

  constructor(private readonly options: ChangeTickOptions) {
    this.latest = this.makeTick();
    const { bus, pollMs } = options;
    this.unsubscribe = [bus.subscribe('monitor-changed', () => this.dirty()), bus.onHearing(() => this.fire())];
    this.poll = setTimeout(() => this.fire(), untilBeat(pollMs));
  }

  stop(): void {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    clearTimeout(this.poll);
    clearTimeout(this.soon);
  }

  private dirty(): void {
    this.soon ??= setTimeout(() => this.fire(), COALESCE_MS);
  }

  private fire(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    const { bus, pollMs, deafPollMs } = this.options;
    clearTimeout(this.poll);
    this.poll = setTimeout(() => this.fire(), untilBeat(bus.deaf ? deafPollMs : pollMs));
    this.latest = this.makeTick();
    this.options.onTick(this.latest);
  }

  private makeTick(): Tick {
    const { db, checks } = this.options;
    const answers = new Map<number, { beganAt: number; changes: Promise<TimedChanges> }>();
    return {
      number: ++this.count,
      read: (since, notBefore) => {
        const known = answers.get(since);
        if (known && known.beganAt >= notBefore) return known.changes;
        const beganAt = performance.now();
        const read = db.read((tx) => checks.changed(tx, since, CHANGE_LIMIT));
        const answer = { beganAt, changes: read.then((changes) => ({ ...changes, readAt: performance.now() })) };
        answers.set(since, answer);
        // A failed query is not shared with later callers.
        answer.changes.catch(() => {
          if (answers.get(since) === answer) answers.delete(since);
        });
        return answer.changes;
      },
    };
  }
}
