import type { Clock } from '@watchpost/shared/clock';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../db/database.js';
import { dueStore } from './due-store.js';
import { startPeriodicTask, type PeriodicTask, type RunningTask } from './periodic-task.js';

/** Work that waits in the database until it is due. */
export interface DueTask {
  /** snake_case. */
  name: string;
  /** How often it is looked for, ms; at least a second. */
  everyMs: number;
  /** Whether there is any: an SQL condition that an index answers; `$1` is the present time. */
  isDue: string;
  /** Starts the work. Called again and again while it is due. */
  wake(): void;
}

export interface DueWorkOptions {
  db: Database;
  clock: Clock;
  logger: Logger;
  registry?: Registry;
  periodicTasks?: readonly PeriodicTask[];
  dueTasks?: readonly DueTask[];
}

const LOOK_MS = SECOND_MS;
/** How often a periodic task runs although it was not found to be due. */
const UNASKED_MS = 5 * MINUTE_MS;

/**
 * Runs the periodic tasks of a process. One statement a second looks whether there is anything to do for all those that
 * have a condition, so that they cost nothing while there is not; `wake` looks at once. The measured alternatives are in
 * docs/decisions/0043-fixed-cost.md.
 */
export function startDueWork(options: DueWorkOptions): RunningTask {
  const { db, clock, periodicTasks = [], dueTasks = [] } = options;
  const running: RunningTask[] = [];
  const tasks: DueTask[] = [...dueTasks];
  for (const task of periodicTasks) {
    const { isDue } = task;
    const one = startPeriodicTask(isDue === undefined ? task : { ...task, everyMs: UNASKED_MS }, options);
    running.push(one);
    if (isDue !== undefined) tasks.push({ ...task, isDue, wake: () => one.wake() });
  }
  const askedMs = new Map<DueTask, number>();
  let isWoken = false;
  const look = async (): Promise<void> => {
    const nowMs = performance.now();
    // A timer may fire a little early.
    const asked = tasks.filter(
      (task) => isWoken || nowMs - (askedMs.get(task) ?? -Infinity) > task.everyMs - LOOK_MS / 2,
    );
    isWoken = false;
    if (asked.length === 0) return;
    const conditions = asked.map(({ isDue }) => isDue);
    const due = await db.read((tx) => dueStore.ask(tx, conditions, new Date(clock.now())));
    for (const [index, task] of asked.entries()) {
      askedMs.set(task, nowMs);
      if (due[index]) task.wake();
    }
  };
  const looking = startPeriodicTask({ name: 'look_for_due_work', everyMs: LOOK_MS, run: look }, options);
  return {
    wake() {
      isWoken = true;
      looking.wake();
    },
    async stop() {
      await looking.stop();
      await Promise.all(running.map((task) => task.stop()));
    },
  };
}
