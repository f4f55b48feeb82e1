import { setTimeout as sleep } from 'node:timers/promises';
import type { Visibility } from '@watchpost/shared/wire/messages';
import type { Reference } from './reference.js';

export interface ReferenceWatchOptions {
  references: readonly Reference[];
  reach(reference: Reference, timeoutMs: number): Promise<boolean>;
  /** Monotonic, ms. */
  now(): number;
  /** Called for each change, and not for a first look that finds the network up. */
  onChange(visibility: Visibility): void;
}

const TIMEOUT_MS = 2_500;
/** The least time between two looks: simultaneous failures share one. */
const SPACING_MS = 250;
/** The interval of looks while no check fails, for the operator … */
const SLOW_MS = 30_000;
/** … and while the agent is blind, so that the end is noticed soon. */
const BLIND_MS = 2_000;

/**
 * Looks at the operator's reference targets when a check fails in a way that a lost network can cause, and periodically.
 * An agent that reaches none of them is blind. Without targets the visibility is unknown.
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

  /** The start of a check, for `look`. */
  mark(): number {
    return this.options.now();
  }

  /** The result of a look that began after `sinceMs`, the start of a check: an earlier one is not conclusive. */
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

  /** Resolves with the first target that answers. */
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
