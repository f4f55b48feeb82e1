import { Fault } from '@watchpost/shared/fault';

/** An agent runs 32 checks on demand at a time: one workspace must leave room for the others. */
export const MOST_TESTS_AT_ONCE = 8;

/** The one-off tests that run, by workspace. */
export class TestsAtOnce {
  readonly #running = new Map<string, number>();

  /** @throws Fault `rate_limited` where the workspace has as many running as it may */
  async run<T>(workspaceId: string, test: () => Promise<T>): Promise<T> {
    const running = this.#running.get(workspaceId) ?? 0;
    if (running >= MOST_TESTS_AT_ONCE) {
      const message = `A workspace runs at most ${MOST_TESTS_AT_ONCE} tests at once; wait until one has ended.`;
      throw new Fault('rate_limited', message, [], 2);
    }
    this.#running.set(workspaceId, running + 1);
    try {
      return await test();
    } finally {
      const left = this.#running.get(workspaceId)! - 1;
      if (left === 0) this.#running.delete(workspaceId);
      else this.#running.set(workspaceId, left);
    }
  }
}
