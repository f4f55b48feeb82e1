import { Fifo } from './fifo.js';

/** Runs a limited number of tasks at the same time; the others start in their order. */
export class AtOnce {
  readonly #waiting = new Fifo<() => void>();
  #running = 0;

  constructor(private readonly limit: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.limit) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
