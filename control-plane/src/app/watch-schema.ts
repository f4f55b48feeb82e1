import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type RunningTask, startPeriodicTask } from '../platform/jobs/periodic-task.js';
import type { Database } from '../platform/db/database.js';
import { readReadability, requireReadable, SchemaError } from '../platform/db/schema-version.js';

const LOOK_MS = 10_000;

export interface SchemaWatchOptions {
  db: Database;
  logger: Logger;
  registry: Registry;
  /** Called once when this process cannot work on the database any more, and has to stop. */
  onOutdated(error: SchemaError): void;
  /** How often the database is read, ms. */
  lookMs?: number;
}

/** Notices that a migration which contracts has run, or waits for this process to stop. */
export function watchSchema({ db, logger, registry, onOutdated, lookMs = LOOK_MS }: SchemaWatchOptions): RunningTask {
  let isOutdated = false;
  const run = async (): Promise<void> => {
    try {
      requireReadable(await db.read(readReadability), db.source.migrations.length);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      if (!isOutdated) onOutdated(error);
      isOutdated = true;
    }
  };
  return startPeriodicTask({ name: 'watch_schema', everyMs: lookMs, run }, { logger, registry });
}
