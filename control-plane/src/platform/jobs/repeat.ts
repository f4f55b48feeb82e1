import type { Logger } from 'pino';

export interface RepeatedWork {
  name: string;
  /** Between the end of a run and the start of the next, ms. */
  everyMs: number;
  run(): Promise<void>;
}

export interface RepeatOptions extends RepeatedWork {
  logger: Logger;
}

/** Runs something over and over, never twice at once; a failure is logged and the next run comes all the same. */
export function repeat({ name, everyMs, logger, run }: RepeatOptions): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  let failing = false;
  const tick = async (): Promise<void> => {
    try {
      await run();
      if (failing) logger.info(`${name} works again`);
      failing = false;
    } catch (error) {
      // Once a spell: a database that is away for an hour is not news every two seconds.
      if (!failing && !stopped) logger.warn({ err: error }, `${name} failed, and is tried again`);
      failing = true;
    }
    if (!stopped) timer = setTimeout(start, everyMs);
  };
  const start = (): void => {
    current = tick();
  };
  start();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
