import type { Logger } from 'pino';
import { startPeriodicTask, type RunningTask } from './periodic-task.js';

export interface WorkPumpOptions<Job extends object> {
  /** For the log. */
  name: string;
  /** Most jobs at once. */
  concurrency: number;
  /** How often it looks without being woken, ms. */
  pollMs: number;
  logger: Logger;
  /** Takes up to `free` jobs that are due; `running` are those that this pump has. */
  claim(free: number, running: Iterable<Job>): Promise<Job[]>;
  /** Never to throw but for a fault of our own: the job is then taken up again when its lease ends. */
  work(job: Job): Promise<void>;
}

/** Works off what is due, several jobs at once: woken as soon as there is something, and looking by itself now and then. */
export class WorkPump<Job extends object> {
  readonly #running = new Map<Job, Promise<void>>();
  #stopped = false;
  #claiming: RunningTask | undefined;

  constructor(private readonly options: WorkPumpOptions<Job>) {}

  /** Works off all that is due now, and what becomes due by that. @returns how many jobs there were */
  async runDue(): Promise<number> {
    let total = 0;
    for (;;) {
      const started = await this.#claim();
      total += started;
      if (started === 0 && this.#running.size === 0) return total;
      await Promise.all(this.#running.values());
    }
  }

  get running(): number {
    return this.#running.size;
  }

  start(): void {
    const { name, pollMs, logger } = this.options;
    this.#claiming = startPeriodicTask({ name, everyMs: pollMs, run: () => this.#claimAll() }, { logger });
  }

  /** There may be something to do. */
  wake(): void {
    this.#claiming?.wake();
  }

  /** Waits for what is being worked on. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#claiming?.stop();
    await Promise.all(this.#running.values());
  }

  /** Claims until nothing is due, or no more jobs may run. */
  async #claimAll(): Promise<void> {
    while (!this.#stopped && (await this.#claim()) > 0 && this.#running.size < this.options.concurrency);
  }

  async #claim(): Promise<number> {
    const free = this.options.concurrency - this.#running.size;
    if (free <= 0) return 0;
    const jobs = await this.options.claim(free, this.#running.keys());
    for (const job of jobs) this.#running.set(job, this.#workOff(job));
    return jobs.length;
  }

  async #workOff(job: Job): Promise<void> {
    const { name, logger, work } = this.options;
    // Not before it is among those that run.
    await Promise.resolve();
    try {
      await work(job);
    } catch (error) {
      logger.error({ err: error }, `${name}: a job failed, and is taken up again`);
    }
    this.#running.delete(job);
    // Even where there was room: what waits may be what this job kept from being claimed.
    this.wake();
  }
}
