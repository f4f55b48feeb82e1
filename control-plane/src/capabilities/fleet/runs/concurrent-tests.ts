import { Fault } from '@watchpost/shared/fault';

/** For each owner, in one process. Over all processes the agents' owner shares apply. */
export const MAX_CONCURRENT_TESTS = 8;

/** Limits how many one-off tests each owner of workspaces runs at once. */
export class ConcurrentTests {
  readonly #running = new Map<string, number>();

  /** @throws Fault `rate_limited` if the owner has reached the limit */
  async run<T>(ownerId: string, test: () => Promise<T>): Promise<T> {
    const running = this.#running.get(ownerId) ?? 0;
    if (running >= MAX_CONCURRENT_TESTS) {
      const message = `An account runs at most ${MAX_CONCURRENT_TESTS} tests at once, over all its workspaces; wait until one has ended.`;
      throw new Fault('rate_limited', message, [], 2);
    }
    this.#running.set(ownerId, running + 1);
    try {
      return await test();
    } finally {
      const left = this.#running.get(ownerId)! - 1;
      if (left === 0) this.#running.delete(ownerId);
      else this.#running.set(ownerId, left);
    }
  }
}
