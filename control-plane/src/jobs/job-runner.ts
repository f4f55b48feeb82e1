import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as WorkerLogger, parseCronItems, run, type Runner, type TaskList } from 'graphile-worker';
import type { Registry } from 'prom-client';
import type { Logger } from 'pino';
import { backoffMs } from '@watchpost/shared/backoff';
import { metricsOn } from '../telemetry/metrics-on.js';

/** Work on a timetable: run by one process of all, however many there are, and again after a failure. */
export interface RecurringJob {
  /** snake_case. */
  name: string;
  /** Five fields, UTC. */
  cron: string;
  run(): Promise<void>;
}

export interface JobRunnerOptions {
  databaseUrl: string;
  jobs: readonly RecurringJob[];
  logger: Logger;
  registry: Registry;
}

export interface JobRunner {
  stop(): Promise<void>;
}

const RESTART = { initialMs: 500, maxMs: 15_000, factor: 2 };
/** A runner that lived this long was healthy: the next restart is quick again. */
const HEALTHY_MS = 60_000;

/** Runs the timetable through graphile-worker, and starts it again whenever the database was away. */
export function startJobRunner(options: JobRunnerOptions): JobRunner {
  const runs = metricsOn(options.registry).counter(
    'watchpost_job_runs_total',
    'Runs of recurring jobs, by job and result.',
    'job',
    'result',
  );
  const taskList: TaskList = Object.fromEntries(
    options.jobs.map((job) => [
      job.name,
      async () => {
        try {
          await job.run();
          runs.inc({ job: job.name, result: 'ok' });
        } catch (error) {
          runs.inc({ job: job.name, result: 'failed' });
          options.logger.error({ err: error, job: job.name }, 'recurring job failed, it will be tried again');
          throw error;
        }
      },
    ]),
  );
  const stopping = new AbortController();
  let current: Runner | null = null;

  const loop = async (): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      const started = Date.now();
      try {
        current = await run({
          connectionString: options.databaseUrl,
          concurrency: 2,
          maxPoolSize: 4,
          noHandleSignals: true,
          pollInterval: 5_000,
          schema: 'jobs',
          logger: quietLogger(options.logger),
          taskList,
          parsedCronItems: parseCronItems(
            options.jobs.map((job) => ({
              task: job.name,
              match: job.cron,
              identifier: job.name,
              options: { backfillPeriod: 0, maxAttempts: 5 },
            })),
          ),
        });
        await current.promise;
      } catch (error) {
        if (!stopping.signal.aborted)
          options.logger.warn({ err: error }, 'job runner lost the database, starting again');
      }
      current = null;
      if (stopping.signal.aborted) return;
      if (Date.now() - started > HEALTHY_MS) attempt = 0;
      await pause(backoffMs(attempt, Math.random(), RESTART), stopping.signal);
    }
  };
  const done = loop();

  return {
    async stop() {
      stopping.abort();
      // A runner that lost its database rejects here; it is on its way out all the same.
      await current?.stop().catch(() => {});
      await done;
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

function quietLogger(logger: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') logger.warn({ source: 'graphile-worker' }, message);
    else logger.debug({ source: 'graphile-worker' }, message);
  });
}
