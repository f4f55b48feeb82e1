import { MINUTE_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import type { Counter, Registry } from 'prom-client';
import { metricsOn } from '@watchpost/shared/metrics-on';
import { untilBeat } from './beat.js';
import { Wake } from './wake.js';

/** Work that a process repeats in memory. What one process of all has to do is a `RecurringJob`. */
export interface PeriodicTask {
  /** snake_case. */
  name: string;
  /** From the end of a run to the start of the next, ms, at a beat (`untilBeat`) from a second on: runs never overlap. */
  everyMs: number;
  /** Before the first run, ms; default 0. */
  initialDelayMs?: number;
  run(): Promise<unknown> | void;
  /**
   * Whether there is anything to do: an SQL condition, `$1` is the present time. It is evaluated every `everyMs` together
   * with those of other tasks (`startDueWork`), and the task runs where it holds. Default: it runs every `everyMs`.
   */
  isDue?: string;
}

export interface PeriodicTaskOptions {
  logger: Logger;
  /** Counts the runs; default: they are not counted. */
  registry?: Registry;
}

export interface RunningTask {
  /** Runs the task now, or once more right after the current run. */
  wake(): void;
  /** Waits for the current run. */
  stop(): Promise<void>;
}

/** A run that takes longer than this is reported; it is not interrupted. */
const LATE_MS = MINUTE_MS;

/** Runs a task again and again until it is stopped. A failure is logged, and the next run comes all the same. */
export function startPeriodicTask(task: PeriodicTask, { logger, registry }: PeriodicTaskOptions): RunningTask {
  const { name, everyMs, initialDelayMs = 0 } = task;
  const runs = registry && countRuns(registry);
  const wake = new Wake();
  const stopping = new AbortController();
  let isFailing = false;

  const runOnce = async (): Promise<void> => {
    const late = setTimeout(() => logger.warn({ task: name }, 'periodic task has run for more than a minute'), LATE_MS);
    try {
      await task.run();
      if (isFailing) logger.info({ task: name }, 'periodic task works again');
      isFailing = false;
      runs?.inc({ task: name, result: 'ok' });
    } catch (error) {
      // Only the first of a series of failures is logged: a database can be away for an hour.
      if (!isFailing && !stopping.signal.aborted)
        logger.warn({ err: error, task: name }, 'periodic task failed, it will be tried again');
      isFailing = true;
      runs?.inc({ task: name, result: 'failed' });
    }
    clearTimeout(late);
  };
  const repeat = async (): Promise<void> => {
    if (initialDelayMs > 0) await wake.wait(untilBeat(initialDelayMs));
    while (!stopping.signal.aborted) {
      await runOnce();
      if (!stopping.signal.aborted) await wake.wait(untilBeat(everyMs));
    }
  };
  const ended = repeat();

  return {
    wake: () => wake.signal(),
    async stop() {
      stopping.abort();
      wake.signal();
      await ended;
    },
  };
}

function countRuns(registry: Registry): Counter<'task' | 'result'> {
  const name = 'watchpost_periodic_task_runs_total';
  const registered = registry.getSingleMetric(name) as Counter<'task' | 'result'> | undefined;
  const help = 'Runs of periodic tasks, by task and result.';
  return registered ?? metricsOn(registry).counter(name, help, 'task', 'result');
}
