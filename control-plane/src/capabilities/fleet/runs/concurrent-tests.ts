import { Fault } from '@watchpost/shared/fault';

/** Of one account, in one process; over all processes an agent's own shares hold. */
export const MAX_CONCURRENT_TESTS = 8;

/** The one-off tests that run, by the owner of the workspace. */
export class ConcurrentTests {
  readonly #running = new Map<string, number>();

  /** @throws Fault `rate_limited` where the owner has as many running as it may */
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
