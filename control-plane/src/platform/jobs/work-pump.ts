import type { Logger } from 'pino';

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
  #woken = false;
  #wake: (() => void) | undefined;
  #loop: Promise<void> = Promise.resolve();
  #failing = false;

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

  /** How many jobs it has. */
  get running(): number {
    return this.#running.size;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** There may be something to do. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Waits for what is being worked on. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#loop;
    await Promise.all(this.#running.values());
  }

  async #run(): Promise<void> {
    const { name, pollMs, concurrency, logger } = this.options;
    while (!this.#stopped) {
      this.#woken = false;
      let started = 0;
      try {
        started = await this.#claim();
        if (this.#failing) logger.info(`${name} works again`);
        this.#failing = false;
      } catch (error) {
        // Once a spell: a database that is away for an hour is not news every second.
        if (!this.#failing && !this.#stopped) logger.warn({ err: error }, `${name} failed, and is tried again`);
        this.#failing = true;
      }
      // Where there was something there may be more, as long as there is room.
      if (started === 0 || this.#running.size >= concurrency) await this.#pause(pollMs);
    }
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

  #pause(ms: number): Promise<void> {
    if (this.#woken) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
    });
  }
}
