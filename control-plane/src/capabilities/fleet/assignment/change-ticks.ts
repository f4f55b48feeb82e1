import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database } from '../../../platform/db/database.js';
import type { MonitorChecks, MonitorCheckSource } from './monitor-checks.js';

/** More changes at once than this are sent as a new snapshot. */
export const CHANGE_LIMIT = 2_000;
/** Changes that come together go out together, ms. */
const COALESCE_MS = 20;

export interface Changes {
  monitors: MonitorChecks[];
  horizon: number;
}

/** What changed, and when that was known, by the monotonic clock. */
export interface ChangesAt extends Changes {
  readAt: number;
}

/** One moment at which the database is asked what changed. Sessions that ask for the same share one answer. */
export interface Tick {
  readonly number: number;
  /** @param notBefore by the monotonic clock: an answer that was asked for earlier does not do */
  read(since: number, notBefore: number): Promise<ChangesAt>;
}

export interface ChangeTickOptions {
  db: Database;
  checks: MonitorCheckSource;
  bus: Bus;
  /** How often is asked where no message came: messages can be lost. */
  pollMs: number;
  /** The same while other processes are not heard. */
  deafPollMs: number;
  onTick(tick: Tick): void;
}

/** Notices that monitors changed: at once by the bus, and by asking now and then. */
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
    this.poll = setTimeout(() => this.fire(), pollMs);
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
    this.poll = setTimeout(() => this.fire(), bus.deaf ? deafPollMs : pollMs);
    this.latest = this.makeTick();
    this.options.onTick(this.latest);
  }

  private makeTick(): Tick {
    const { db, checks } = this.options;
    const answers = new Map<number, { askedAt: number; changes: Promise<ChangesAt> }>();
    return {
      number: ++this.count,
      read: (since, notBefore) => {
        const known = answers.get(since);
        if (known && known.askedAt >= notBefore) return known.changes;
        const askedAt = performance.now();
        const read = db.read((tx) => checks.changed(tx, since, CHANGE_LIMIT));
        const answer = { askedAt, changes: read.then((changes) => ({ ...changes, readAt: performance.now() })) };
        answers.set(since, answer);
        // A failed answer is for whoever waits for it; the next one asks again.
        answer.changes.catch(() => {
          if (answers.get(since) === answer) answers.delete(since);
        });
        return answer.changes;
      },
    };
  }
}
