import { Fault } from '@watchpost/shared/fault';
import type { Registry } from 'prom-client';
import type { Database } from '../../platform/db/database.js';
import { setRequestTenant } from '../../platform/db/request-context.js';
import { metricsOn } from '@watchpost/shared/metrics-on';
import { type BuildLanes, BuildWork } from './build-work.js';
import { FairLock } from './fair-lock.js';

const MOST_WAITING = 1_000;
const MOST_WAITING_OF_OWNER = 100;
const RETRY_SECONDS = 5;

/**
 * The queue of builds of status pages. Each owner has one build at a time, and the builds take turns step by step: a page
 * waits for at most one step of each other owner, independent of their number of pages and their cost.
 */
export class PageBuilds {
  /** By owner; the first build of each is running. */
  readonly #queues = new Map<string, (() => void)[]>();
  readonly #lanes: BuildLanes = { loop: new FairLock(), database: new FairLock() };
  readonly #metrics;

  constructor(
    private readonly db: Database,
    registry: Registry,
  ) {
    const metrics = metricsOn(registry);
    metrics.shown(
      'watchpost_status_page_builds_waiting',
      'Builds of public status pages that run or wait for their turn.',
      () => this.#waitingCount(),
    );
    this.#metrics = {
      refused: metrics.counter(
        'watchpost_status_page_builds_refused_total',
        'Builds of public status pages that were refused because too many were waiting.',
      ),
      busy: metrics.histogram(
        'watchpost_status_page_build_busy_seconds',
        'How long a build of a public status page used the event loop, in all its slices.',
        [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2],
      ),
      slice: metrics.histogram(
        'watchpost_status_page_build_slice_seconds',
        'The longest time for which a build of a public status page held the event loop.',
        [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
      ),
    };
  }

  /** @throws Fault unavailable where too many wait already */
  async run<T>(ownerId: string, build: (work: BuildWork) => Promise<T>): Promise<T> {
    setRequestTenant(ownerId);
    await this.#turn(ownerId);
    const work = new BuildWork(this.db, this.#lanes);
    try {
      return await build(work);
    } finally {
      work.leaveLoop();
      this.#metrics.busy.observe(work.busyMs / 1_000);
      this.#metrics.slice.observe(work.longestMs / 1_000);
      this.#startNext(ownerId);
    }
  }

  #turn(ownerId: string): Promise<void> {
    const queue = this.#queues.get(ownerId) ?? [];
    if (queue.length >= MOST_WAITING_OF_OWNER || this.#waitingCount() >= MOST_WAITING) {
      this.#metrics.refused.inc();
      const message = 'Too many status pages are being looked at right now; try again a little later.';
      return Promise.reject(new Fault('unavailable', message, [], RETRY_SECONDS));
    }
    this.#queues.set(ownerId, queue);
    return new Promise((resolve) => {
      queue.push(resolve);
      if (queue.length === 1) resolve();
    });
  }

  #startNext(ownerId: string): void {
    const queue = this.#queues.get(ownerId)!;
    queue.shift();
    if (queue.length > 0) queue[0]!();
    else this.#queues.delete(ownerId);
  }

  #waitingCount(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.length;
    return count;
  }
}
