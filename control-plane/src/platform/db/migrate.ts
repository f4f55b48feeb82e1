import { type Migration as FoundMigration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { backoffMs } from '@watchpost/shared/backoff';
import { VERSION } from '@watchpost/shared/build';
import { pause } from '@watchpost/shared/retry';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import type { Database } from './database.js';
import { isLockConflict } from './database-error.js';
import { findFormerProcesses } from './former-processes.js';
import type { Migration } from './migration.js';
import type { PrimaryClient } from './primary-client.js';
import { txOf, type Tx } from './tx.js';
import { readSchemaState, recordUpgrade, requireReadable, SchemaError } from './schema-version.js';

/** Arbitrary. All processes use the same one. */
const LOCK_KEY = 7_761_000;
const POLL_MS = 250;
/** A migration that runs or waits reports so this often. */
const PROGRESS_MS = 30 * SECOND_MS;
const BACKOFF = { initialMs: 500, maxMs: 10_000, factor: 2 };

export interface MigrateOptions {
  /** For how long a process waits for another one that migrates, ms. */
  patienceMs?: number;
  /**
   * For how long a statement of a migration waits for a lock, ms. All other statements on its table queue behind it
   * meanwhile. Then the migration is rolled back and tried again.
   */
  lockTimeoutMs?: number;
  /** For how long a migration is tried again because of locks, ms. */
  lockPatienceMs?: number;
  /** For how long a migration that contracts waits for processes of former versions to stop, ms. */
  drainMs?: number;
  /** The version of Watchpost that migrates. */
  program?: string;
}

const DEFAULTS: Required<MigrateOptions> = {
  patienceMs: 10 * MINUTE_MS,
  lockTimeoutMs: 2 * SECOND_MS,
  lockPatienceMs: 10 * MINUTE_MS,
  // A process notices within 10 s, and drains in at most 40 s.
  drainMs: 90 * SECOND_MS,
  program: VERSION,
};

/**
 * Applies the migrations that have not run yet, each in its own transaction unless it declares otherwise. Of several
 * processes that start together one does it and the others wait for it, on a session lock that its connection holds.
 * @returns the names of those applied now
 * @throws SchemaError where this program cannot work on the database, or processes of former versions do not stop
 * @throws Error where the database is of a version that was never released, or a lock cannot be had
 */
export async function migrate(database: Database, logger: Logger, options: MigrateOptions = {}): Promise<string[]> {
  const times = { ...DEFAULTS, ...options };
  const runner = database.source.createQueryRunner();
  const connection = (await runner.connect()) as PrimaryClient;
  connection.isPatient = true;
  try {
    // A migration of a big table runs longer than any request may.
    await runner.query(`SET statement_timeout = 0; SET lock_timeout = ${times.lockTimeoutMs}`);
    await lock(runner, logger, times.patienceMs);
    try {
      await refuseUnreleasedSchema(database, runner);
      return await applyPending(database, runner, txOf(connection, runner.manager), logger, times);
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]);
    }
  } finally {
    await runner.query(`RESET statement_timeout; RESET lock_timeout`).catch(() => {});
    connection.isPatient = false;
    await runner.release();
  }
}

/**
 * Waits until another process has applied all migrations of this program.
 * @throws SchemaError where that does not happen in time, or this program cannot work on the database
 */
export async function awaitMigrations(
  database: Database,
  logger: Logger,
  { patienceMs = DEFAULTS.patienceMs }: MigrateOptions = {},
): Promise<void> {
  const own = database.source.migrations.length;
  const startedAt = performance.now();
  for (let isReported = false; ; isReported = true) {
    const state = await database.read(readSchemaState);
    requireReadable(state, own);
    const { version } = state;
    if (version >= own) return;
    if (performance.now() - startedAt > patienceMs)
      throw new SchemaError(
        `The database has schema version ${version}, and this process needs ${own}. With RUN_MIGRATIONS=0 it waits for ` +
          'another process to upgrade the database, which has not happened: start one with RUN_MIGRATIONS=1.',
      );
    if (!isReported) logger.info({ version, own }, 'waiting for another process to upgrade the database');
    await pause(POLL_MS);
  }
}

/** Not `pg_advisory_lock`: a statement that waits has a snapshot, for whose end concurrent index builds would wait. */
async function lock(runner: QueryRunner, logger: Logger, patienceMs: number): Promise<void> {
  const startedAt = performance.now();
  for (let isReported = false; ; isReported = true) {
    const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [LOCK_KEY])) as {
      locked: boolean;
    }[];
    if (row!.locked) return;
    if (performance.now() - startedAt > patienceMs)
      throw new Error('Another process is still migrating the database: start this one again later.');
    if (!isReported) logger.info('waiting for another process that migrates the database');
    await pause(POLL_MS);
  }
}

async function applyPending(
  database: Database,
  runner: QueryRunner,
  tx: Tx,
  logger: Logger,
  times: Required<MigrateOptions>,
): Promise<string[]> {
  const own = database.source.migrations.length;
  const state = await readSchemaState(tx);
  requireReadable(state, own);
  const { version } = state;
  if (version > own) logger.info({ version, own }, 'the database is of a later version, which this one can work on');
  const executor = new MigrationExecutor(database.source, runner);
  const names: string[] = [];
  for (const found of await executor.getPendingMigrations()) {
    const { contracts } = found.instance as Migration;
    if (contracts && version > 0) {
      const needed = 1 + database.source.migrations.findIndex(({ name }) => name === contracts.unusedSince);
      await recordUpgrade(tx, { readableFrom: needed, program: times.program });
      await awaitFormerProcesses(tx, needed, logger, times.drainMs);
    }
    await apply(executor, found, runner, logger, times.lockPatienceMs);
    names.push(found.name);
    await recordUpgrade(tx, { readableFrom: 0, program: times.program });
  }
  return names;
}

/** Applies one migration, and tries again where a statement does not get its lock soon. */
async function apply(
  executor: MigrationExecutor,
  found: FoundMigration,
  runner: QueryRunner,
  logger: Logger,
  patienceMs: number,
): Promise<void> {
  const migration = found.name;
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
  const progress = setInterval(() => logger.info({ migration, seconds: seconds() }, 'migration runs'), PROGRESS_MS);
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        if ((found.instance as Migration).transaction === false) await executor.executeMigration(found);
        else await inTransaction(runner, () => executor.executeMigration(found));
        logger.info({ migration, seconds: seconds() }, 'migration applied');
        return;
      } catch (error) {
        if (!isLockConflict(error) || performance.now() - startedAt > patienceMs) throw error;
        const waitMs = backoffMs(attempt, Math.random(), BACKOFF);
        logger.warn(
          { migration, attempt: attempt + 1, seconds: seconds(), waitMs },
          'migration rolled back, because a statement or transaction holds a lock that it needs; trying again',
        );
        await pause(waitMs);
      }
    }
  } finally {
    clearInterval(progress);
  }
}

async function inTransaction(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  await runner.startTransaction();
  try {
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => {});
    throw error;
  }
}

/** Processes of former versions read that they have to stop; none may be left when the migration begins. */
async function awaitFormerProcesses(tx: Tx, needed: number, logger: Logger, drainMs: number): Promise<void> {
  const startedAt = performance.now();
  for (let isReported = false; ; isReported = true) {
    const former = await findFormerProcesses(tx, needed);
    if (former.length === 0) return;
    if (performance.now() - startedAt > drainMs)
      throw new SchemaError(
        `The next migration removes what processes of former versions still use. Stop them, and start this one again: ${former.join('; ')}.`,
      );
    if (!isReported) logger.info({ former }, 'waiting for processes of former versions to stop');
    await pause(POLL_MS);
  }
}

/** A database that has migrations, but not the baseline, was made by development versions before the first release. */
async function refuseUnreleasedSchema({ source }: Database, runner: QueryRunner): Promise<void> {
  const table = source.options.migrationsTableName!;
  if (!(await runner.hasTable(table))) return;
  const applied = (await runner.query(`SELECT name FROM ${table} ORDER BY id`)) as { name: string }[];
  if (applied.length === 0 || applied.some(({ name }) => name === source.migrations[0]!.name)) return;
  throw new Error(
    `The database was set up by a development version of Watchpost (${applied[0]!.name}), and there is no upgrade from it. ` +
      'Point DATABASE_URL to an empty database, or drop this one and create it again; ' +
      'without DATABASE_URL, move the folder DATA_DIR away. A new installation starts without the old data.',
  );
}
