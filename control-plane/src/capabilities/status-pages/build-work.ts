import type { Database, Tx } from '../../platform/db/database.js';
import type { Lane } from './lane.js';

/** A build has the event loop for so long before the next build gets it. */
const QUANTUM_MS = 4;
/** The loop is then left to everything else for so many times as long: builds use a quarter of it, all together. */
const REST = 3;

/** What all builds of a process share: one of them computes at a time, and one reads. */
export interface BuildLanes {
  loop: Lane;
  database: Lane;
}

/** The steps of one build. Between them other builds, and everything else that the process does, get on. */
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

  /** Runs a part of the computation that takes a few milliseconds at most. */
  async slice<T>(compute: () => T): Promise<T> {
    if (!this.#holdsLoop) {
      await this.lanes.loop.acquire();
      this.#holdsLoop = true;
    }
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

  /** Reads on a connection of its own, which it gives back. */
  async query<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
    this.leaveLoop();
    await this.lanes.database.acquire();
    try {
      return await this.db.read(read);
    } finally {
      this.lanes.database.release();
    }
  }

  /** To be called before the build waits for anything, and at its end. */
  leaveLoop(): void {
    if (!this.#holdsLoop) return;
    this.#holdsLoop = false;
    this.lanes.loop.release(this.#sliceMs * REST);
    this.#sliceMs = 0;
  }
}
