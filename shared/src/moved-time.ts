import { mock } from 'node:test';

/** A wait that takes longer has no end. */
const MOST_MS = 10_000;

/**
 * Time that passes only by `pass`, for `performance.now` and for what waits by `setTimeout`, so that no test depends on how
 * busy the machine is. To be reset after the test.
 */
export class MovedTime {
  private readonly real = performance.now;
  private nowMs = 1_000;

  constructor() {
    mock.timers.enable({ apis: ['setTimeout'] });
    performance.now = () => this.nowMs;
  }

  /** Lets time pass in steps of 1 ms: what a timer starts runs before the next timer. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed++) {
      this.nowMs++;
      mock.timers.tick(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Lets time pass until a condition holds. */
  async until(isReached: () => boolean): Promise<void> {
    for (let passed = 0; !isReached(); passed++) {
      if (passed === MOST_MS) throw new Error(`not reached within ${MOST_MS} ms`);
      await this.pass(1);
    }
  }

  /** Lets time pass until something has ended. */
  async untilEnd<T>(work: Promise<T>): Promise<T> {
    let hasEnded = false;
    const note = () => (hasEnded = true);
    work.then(note, note);
    await this.until(() => hasEnded);
    return work;
  }

  reset(): void {
    performance.now = this.real;
    mock.timers.reset();
  }
}
