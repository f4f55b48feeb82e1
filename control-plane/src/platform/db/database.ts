import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type EntityManager, type EntitySchema, type MixedList, type QueryRunner } from 'typeorm';
import pg from 'pg';
import type { Logger } from 'pino';
import { databaseErrorOf } from './database-error.js';
import { NamingStrategy } from './naming-strategy.js';

// Internal keys and counts are bigint in the database and safe integers here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** One transaction, or one connection for reading. Stores take it; verbs pass it on and never look inside. */
export interface Tx {
  /** For configuration entities. */
  readonly manager: EntityManager;
  /**
   * Plain SQL on the same connection.
   * @returns the rows of the statement, those of `RETURNING` included
   */
  query<Row extends object = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** The same, where only the number matters. @returns how many rows were inserted, updated or deleted */
  execute(sql: string, params?: readonly unknown[]): Promise<number>;
}

/**
 * What every transaction that the work in this context begins does last: it commits with the rest of the transaction, and
 * an error in it rolls all of it back.
 */
export const beforeCommit = new AsyncLocalStorage<(tx: Tx) => Promise<void>>();

export type Entities = MixedList<Function | EntitySchema>;

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  entities: Entities;
  migrations: MixedList<Function>;
  logger: Logger;
  /** Longest a statement may run, ms. */
  statementTimeoutMs?: number;
}

/** SQLSTATEs after which the same transaction, tried again, can succeed: serialization failure, deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 4;

/** The connection pool. Everything that touches PostgreSQL goes through `read` or `transaction`. */
export class Database {
  private constructor(readonly source: DataSource) {}

  static async open(options: DatabaseOptions): Promise<Database> {
    const source = new DataSource({
      type: 'postgres',
      url: options.url,
      entities: options.entities,
      migrations: options.migrations,
      migrationsTableName: 'schema_migration',
      migrationsTransactionMode: 'each',
      namingStrategy: new NamingStrategy(),
      synchronize: false,
      logging: false,
      poolSize: options.poolSize,
      applicationName: 'watchpost',
      connectTimeoutMS: 5_000,
      poolErrorHandler: (error: unknown) => options.logger.warn({ err: error }, 'idle database connection lost'),
      extra: {
        statement_timeout: options.statementTimeoutMs ?? 30_000,
        idle_in_transaction_session_timeout: 60_000,
        options: '-c timezone=UTC',
      },
    });
    await source.initialize();
    return new Database(source);
  }

  /** Runs `work` on one connection without a transaction: for reading. */
  async read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      await runner.connect();
      return await work(txOf(runner));
    } finally {
      await runner.release();
    }
  }

  /** Runs `work` in one transaction (READ COMMITTED); a deadlock or serialization failure runs it again. */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.source.transaction(async (manager) => {
          const tx = txOf(manager.queryRunner!);
          const result = await work(tx);
          await beforeCommit.getStore()?.(tx);
          return result;
        });
      } catch (error) {
        if (attempt >= ATTEMPTS || !RETRYABLE.has(databaseErrorOf(error)?.code ?? '')) throw error;
      }
    }
  }

  async close(): Promise<void> {
    if (this.source.isInitialized) await this.source.destroy();
  }
}

/** The connection of a query runner. */
export function txOf(runner: QueryRunner): Tx {
  // Without the third argument the runner answers UPDATE and DELETE with [rows, count].
  const run = (sql: string, params?: readonly unknown[]) => runner.query(sql, params as unknown[] | undefined, true);
  return {
    manager: runner.manager,
    query: async <Row extends object>(sql: string, params?: readonly unknown[]) =>
      (await run(sql, params)).records as Row[],
    execute: async (sql, params) => (await run(sql, params)).affected ?? 0,
  };
}
