import type { Database, Tx } from '../../platform/db/database.js';
import { throwIfOver } from '../../platform/db/request-context.js';
import type { FairLock } from './fair-lock.js';

/** A build uses the event loop for this long before the next build gets it. */
const QUANTUM_MS = 4;
/** Afterwards the loop is left to other work for this multiple of that time, so that all builds together use a quarter of it. */
const REST = 3;

/** Shared by all builds of a process: one build computes at a time, and one reads. */
export interface BuildLanes {
  loop: FairLock;
  database: FairLock;
}

/** The steps of one build. Other builds and other work of the process run between them. */
export class BuildWork {
  #holdsLoop = false;
  #sliceMs = 0;
  #busyMs = 0;
  #longestMs = 0;

  constructor(
    private readonly db: Database,
    private readonly lanes: BuildLanes,
  ) {}

  /** Time on the event loop so far, ms. */
  get busyMs(): number {
    return this.#busyMs;
  }

  /** The longest time for which the event loop was held, ms. */
  get longestMs(): number {
    return this.#longestMs;
  }

  /** Runs a part of the computation that takes at most a few milliseconds. */
  async slice<T>(compute: () => T): Promise<T> {
    if (!this.#holdsLoop) {
      await this.lanes.loop.acquire();
      this.#holdsLoop = true;
    }
    throwIfOver();
    const startedMs = performance.now();
    try {
      return compute();
    } finally {
      const tookMs = performance.now() - startedMs;
      this.#sliceMs += tookMs;
      this.#busyMs += tookMs;
      this.#longestMs = Math.max(this.#longestMs, this.#sliceMs);
      if (this.#sliceMs >= QUANTUM_MS) this.leaveLoop();
    }
  }

  /** Reads on its own connection and releases it. */
  async query<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
    this.leaveLoop();
    await this.lanes.database.acquire();
    try {
      return await this.db.read(read);
    } finally {
      this.lanes.database.release();
    }
  }

  /** Called before the build waits for anything, and at its end. */
  leaveLoop(): void {
    if (!this.#holdsLoop) return;
    this.#holdsLoop = false;
    this.lanes.loop.release(this.#sliceMs * REST);
    this.#sliceMs = 0;
  }
}
