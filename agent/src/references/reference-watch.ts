import { setTimeout as sleep } from 'node:timers/promises';
import type { Reference } from './parse-reference.js';

/** What the agent knows of its own network; `unknown` where nobody named a target to look at. */
export type Sight = 'unknown' | 'seeing' | 'blind';

export interface ReferenceWatchOptions {
  references: readonly Reference[];
  reach(reference: Reference, timeoutMs: number): Promise<boolean>;
  /** Monotonic, ms. */
  now(): number;
  /** Told when it changes, not of the first look that finds everything well. */
  onChange(sight: Sight): void;
}

const TIMEOUT_MS = 2_500;
/** Looks begin so far apart at the least: many failures at once all wait for the same one. */
const SPACING_MS = 250;
/** So often it is looked when nothing fails, for those who watch the agents … */
const SLOW_MS = 30_000;
/** … and so often while it is blind, to know at once when that is over. */
const BLIND_MS = 2_000;

/**
 * Looks at targets of the operator's choice when a check failed in a way that a lost network makes, and slowly
 * besides. Blind is who reaches none of them. Without targets it never looks and never knows.
 */
export class ReferenceWatch {
  private current: Sight = 'unknown';
  private last: { atMs: number; look: Promise<Sight> } | undefined;
  private next: Promise<Sight> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = true;

  constructor(private readonly options: ReferenceWatchOptions) {}

  get sight(): Sight {
    return this.current;
  }

  start(): void {
    if (this.options.references.length === 0) return;
    this.stopped = false;
    void this.begin();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** A moment to be given to `look`: a check begins. */
  mark(): number {
    return this.options.now();
  }

  /** What a look finds that began at that moment or later: what was seen before a check says nothing about it. */
  look(sinceMs: number): Promise<Sight> {
    if (this.options.references.length === 0) return Promise.resolve('unknown');
    const { last } = this;
    if (!last) return this.begin();
    if (last.atMs >= sinceMs) return last.look;
    const waitMs = last.atMs + SPACING_MS - this.options.now();
    this.next ??= (waitMs > 0 ? sleep(waitMs) : Promise.resolve()).then(() => {
      this.next = undefined;
      return this.begin();
    });
    return this.next;
  }

  private begin(): Promise<Sight> {
    const look = this.reachAny().then((reached) => this.found(reached ? 'seeing' : 'blind'));
    this.last = { atMs: this.options.now(), look };
    return look;
  }

  /** One that answers is enough, and the first that does. */
  private async reachAny(): Promise<boolean> {
    const tries = this.options.references.map(async (reference) => {
      if (!(await this.options.reach(reference, TIMEOUT_MS))) throw new Error('not reached');
    });
    return Promise.any(tries).then(
      () => true,
      () => false,
    );
  }

  private found(sight: Sight): Sight {
    const before = this.current;
    this.current = sight;
    if (sight !== before && (before !== 'unknown' || sight === 'blind')) this.options.onChange(sight);
    clearTimeout(this.timer);
    if (!this.stopped) {
      this.timer = setTimeout(() => void this.begin(), sight === 'blind' ? BLIND_MS : SLOW_MS);
      this.timer.unref();
    }
    return sight;
  }
}
