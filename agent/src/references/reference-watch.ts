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
/** A look holds for so long: after many failures at once they all ask the same one. */
const HOLDS_MS = 1_000;
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
  private timer: NodeJS.Timeout | undefined;
  private stopped = true;

  constructor(private readonly options: ReferenceWatchOptions) {}

  get sight(): Sight {
    return this.current;
  }

  start(): void {
    if (this.options.references.length === 0) return;
    this.stopped = false;
    void this.look();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** What a look that begins now finds, or one that began a moment ago. */
  look(): Promise<Sight> {
    if (this.options.references.length === 0) return Promise.resolve('unknown');
    const atMs = this.options.now();
    if (this.last && atMs - this.last.atMs < HOLDS_MS) return this.last.look;
    const look = this.reachAny().then((reached) => this.found(reached ? 'seeing' : 'blind'));
    this.last = { atMs, look };
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
      this.timer = setTimeout(() => void this.look(), sight === 'blind' ? BLIND_MS : SLOW_MS);
      this.timer.unref();
    }
    return sight;
  }
}
