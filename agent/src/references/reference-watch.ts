import { setTimeout as sleep } from 'node:timers/promises';
import type { Visibility } from '@watchpost/shared/wire/messages';
import type { Reference } from './reference.js';

export interface ReferenceWatchOptions {
  references: readonly Reference[];
  reach(reference: Reference, timeoutMs: number): Promise<boolean>;
  /** Monotonic, ms. */
  now(): number;
  /** Told when it changes, not of the first look that finds everything well. */
  onChange(visibility: Visibility): void;
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
  private current: Visibility = 'unknown';
  private last: { atMs: number; look: Promise<Visibility> } | undefined;
  private next: Promise<Visibility> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = true;

  constructor(private readonly options: ReferenceWatchOptions) {}

  get visibility(): Visibility {
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
  look(sinceMs: number): Promise<Visibility> {
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

  private begin(): Promise<Visibility> {
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

  private found(visibility: Visibility): Visibility {
    const before = this.current;
    this.current = visibility;
    if (visibility !== before && (before !== 'unknown' || visibility === 'blind')) this.options.onChange(visibility);
    clearTimeout(this.timer);
    if (!this.stopped) {
      this.timer = setTimeout(() => void this.begin(), visibility === 'blind' ? BLIND_MS : SLOW_MS);
      this.timer.unref();
    }
    return visibility;
  }
}
