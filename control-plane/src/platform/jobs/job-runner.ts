import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Logger as WorkerLogger,
  type ParsedCronItem,
  parseCronItems,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Registry } from 'prom-client';
import type { Logger } from 'pino';
import { keepRunning } from '@watchpost/shared/retry';
import { MINUTE_MS } from '@watchpost/shared/time';
import { decideLastDue } from './decide-last-due.js';
import { machineLeadMs } from '../db/database-clock.js';
import type { DatabaseHosts } from '../db/database-hosts.js';
import { metricsOn } from '@watchpost/shared/metrics-on';

/**
 * Work on a timetable: run by one process of all, however many there are, and again after a failure. What fell due while
 * no process was there runs once when one is back, however often it fell due.
 */
export interface RecurringJob {
  /** snake_case. */
  name: string;
  /** Five fields, UTC. */
  cron: string;
  /** @param signal aborted when the process stops: a long job leaves the rest to its next run */
  run(signal?: AbortSignal): Promise<unknown>;
}

export interface JobRunnerOptions {
  hosts: DatabaseHosts;
  jobs: readonly RecurringJob[];
  logger: Logger;
  registry: Registry;
  /**
   * Called before the timetable starts, and before each run. @throws where the clock of this process is wrong, by which jobs
   * decide what is due and what is old
   */
  requireRightClock(): Promise<void>;
}

export interface JobRunner {
  stop(): Promise<void>;
}

const RESTART = { initialMs: 500, maxMs: 15_000, factor: 2 };
/**
 * How many jobs run at a time: more than there are without a bound on their time, so that these never hold up the others. A
 * job uses one connection of the pool at most, and waits for its turn at it as all background work.
 */
const JOBS_AT_A_TIME = 12;
/** The library looks at the clock a little later than we do; less than the shortest time between two runs of a job. */
const START_MS = 30_000;
/** Where the library keeps when each job fell due the last time. */
const LAST_RUNS = 'jobs._private_known_crontabs';
/** How often it is looked whether the clock of this process was set, and from how much on that matters. */
const LOOK_MS = 5_000;
const SET_MS = 60_000;
/** A runner that lived this long was healthy: the next restart is quick again. */
const HEALTHY_MS = 60_000;
/** After a completion failed and the workers are released, the completions of other jobs are stored within this time. */
const FLUSH_MS = 5_000;

/** Runs the timetable through graphile-worker, and starts it again whenever the database was away or the clock was set. */
export function startJobRunner(options: JobRunnerOptions): JobRunner {
  const runs = metricsOn(options.registry).counter(
    'watchpost_job_runs_total',
    'Runs of recurring jobs, by job and result.',
    'job',
    'result',
  );
  const stopping = new AbortController();
  const running = new Set<string>();
  const taskList: TaskList = Object.fromEntries(
    options.jobs.map((job) => [
      job.name,
      async (payload: unknown) => {
        const due = (payload as { _cron?: { ts: string; backfilled: boolean } } | null)?._cron;
        if (running.has(job.name)) {
          // It was due again meanwhile: the run does what there is to do.
          options.logger.debug({ job: job.name, due: due?.ts, isLate: due?.backfilled }, 'recurring job still runs');
          return;
        }
        running.add(job.name);
        try {
          await options.requireRightClock();
          await job.run(stopping.signal);
          options.logger.debug({ job: job.name, due: due?.ts, isLate: due?.backfilled }, 'recurring job ran');
          runs.inc({ job: job.name, result: 'ok' });
        } catch (error) {
          runs.inc({ job: job.name, result: 'failed' });
          options.logger.error({ err: error, job: job.name }, 'recurring job failed, it will be tried again');
          throw error;
        } finally {
          running.delete(job.name);
        }
      },
    ]),
  );
  let current: Runner | null = null;

  const runJobs = async (): Promise<void> => {
    const pgPool = options.hosts.pool({ max: 4, application_name: 'watchpost jobs' });
    try {
      await runOn(pgPool);
    } finally {
      await pgPool.end();
    }
  };
  const runOn = async (pgPool: ReturnType<DatabaseHosts['pool']>): Promise<void> => {
    // Before it is verified: what is set after that is noticed.
    const leadMs = machineLeadMs();
    // A process whose clock is ahead would mark jobs as run that other processes then leave out.
    await options.requireRightClock();
    await forgetFuture(pgPool, options.logger);
    const events: WorkerEvents = new EventEmitter();
    const failed = failureOf(events);
    current = await run({
      pgPool,
      events,
      concurrency: JOBS_AT_A_TIME,
      // Without a batch, the library does not handle a completion that cannot be stored, which would end this process. In a
      // batch, it ends the runner, which starts again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      noHandleSignals: true,
      // A job that is due is notified of; this finds those that failed and are to be tried again.
      pollInterval: 2 * MINUTE_MS,
      schema: 'jobs',
      logger: quietLogger(options.logger),
      taskList,
      // The clock of this process decides both when a job is due and whether that time has come.
      useNodeTime: true,
      parsedCronItems: timetableOf(options.jobs, Date.now()),
    });
    // `stop` may have been called during the start.
    if (stopping.signal.aborted) return await current.stop();
    const startAgain = (reason: object, message: string): void => {
      options.logger.warn(reason, `${message}, the timetable starts again from now`);
      void current?.stop().catch(() => {});
    };
    const watch = watchClock(leadMs, {
      onBack: () => startAgain({}, 'the clock was set back'),
      // After a suspension it is right.
      onAhead: () =>
        void options
          .requireRightClock()
          .catch((error: unknown) => startAgain({ err: error }, 'the clock was set ahead')),
    });
    try {
      await Promise.race([current.promise, failed]);
    } finally {
      watch.stop();
    }
  };
  const ended = keepRunning(runJobs, {
    backoff: RESTART,
    healthyMs: HEALTHY_MS,
    signal: stopping.signal,
    onEnd: (error) => options.logger.warn({ err: error }, 'job runner ended, starting again'),
  });

  return {
    async stop() {
      stopping.abort();
      // A runner that has lost its database rejects here, and ends nevertheless.
      void current?.stop().catch(() => {});
      await ended;
    },
  };
}

/**
 * Rejects when a runner has ended because a completion could not be stored. The library waits for ever then where other jobs
 * ended well after that: it counts down twice what it waits for.
 */
function failureOf(events: WorkerEvents): Promise<never> {
  const failed = Promise.all([once(events, 'pool:fatalError'), once(events, 'pool:gracefulShutdown:complete')]).then(
    async ([[{ error }]]) => {
      await sleep(FLUSH_MS);
      throw error as Error;
    },
  );
  failed.catch(() => {});
  return failed;
}

/**
 * Notices a clock that was set. Until the time that it had reached, the library would run nothing.
 * @param rightMs how far the clock was ahead of the monotonic one when it was right
 */
function watchClock(rightMs: number, { onBack, onAhead }: { onBack(): void; onAhead(): void }): { stop(): void } {
  let mostMs = rightMs;
  const timer = setInterval(() => {
    const leadMs = machineLeadMs();
    if (leadMs - mostMs > SET_MS) onAhead();
    mostMs = Math.max(mostMs, leadMs);
    if (mostMs - leadMs < SET_MS) return;
    clearInterval(timer);
    onBack();
  }, LOOK_MS).unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Forgets runs that are in the future, from when the clock of a process was ahead: until then, the library would run nothing.
 * Before its first start there is no such table.
 */
async function forgetFuture(pgPool: ReturnType<DatabaseHosts['pool']>, logger: Logger): Promise<void> {
  const { rows } = await pgPool.query<{ known: boolean }>(`SELECT to_regclass('${LAST_RUNS}') IS NOT NULL AS known`);
  if (!rows[0]!.known) return;
  const { rowCount } = await pgPool.query(
    `UPDATE ${LAST_RUNS} SET last_execution = $1 WHERE last_execution > $1::timestamptz + interval '1 minute'`,
    [new Date()],
  );
  if (rowCount)
    logger.warn({ jobs: rowCount }, 'recurring jobs had run in the future; their timetable goes on from now');
}

/** The library runs again what fell due within `backfillPeriod`: so long ago that the last time is in it, and no other. */
function timetableOf(jobs: readonly RecurringJob[], nowMs: number): ParsedCronItem[] {
  const items = (backfillOf: (index: number) => number) =>
    parseCronItems(
      jobs.map(({ name, cron }, index) => ({
        task: name,
        match: cron,
        identifier: name,
        options: { backfillPeriod: backfillOf(index), maxAttempts: 5 },
      })),
    );
  const parsed = items(() => 0);
  return items((index) => {
    const dueMs = decideLastDue(parsed[index]!.match, nowMs);
    return dueMs === null ? 0 : nowMs - dueMs + START_MS;
  });
}

function quietLogger(logger: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message, meta) => {
    // It advises a pool as large as its jobs are many, for jobs that use it: ours use the pool of the process.
    if (meta !== undefined && 'max' in meta && 'concurrency' in meta) return;
    if (level === 'error' || level === 'warning') logger.warn({ source: 'graphile-worker' }, message);
    else logger.debug({ source: 'graphile-worker' }, message);
  });
}
