import type { Bus } from '../coordination/bus.js';
import type { Database } from '../db/database.js';
import type { MonitorChecks, MonitorCheckSource } from './monitor-checks.js';

/** More changes at once than this are sent as a new snapshot. */
export const CHANGE_LIMIT = 2_000;
/** Changes that come together go out together, ms. */
const COALESCE_MS = 20;

export interface Changes {
  monitors: MonitorChecks[];
  horizon: number;
}

/** One moment at which the database is asked what changed. Sessions that ask for the same share one answer. */
export interface Tick {
  readonly number: number;
  /** By the monotonic clock. */
  readonly madeAt: number;
  read(since: number): Promise<Changes>;
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
    const answers = new Map<number, Promise<Changes>>();
    return {
      number: ++this.count,
      madeAt: performance.now(),
      read: (since) => {
        let answer = answers.get(since);
        if (!answer) {
          answer = db.read((tx) => checks.changed(tx, since, CHANGE_LIMIT));
          answers.set(since, answer);
          // A failed answer is for whoever waits for it; the next one asks again.
          answer.catch(() => answers.delete(since));
        }
        return answer;
      },
    };
  }
}
