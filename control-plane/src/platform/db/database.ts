import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource, type EntityManager, type EntitySchema, type MixedList } from 'typeorm';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { connectionMetrics } from './connection-metrics.js';
import { ConnectionTurns } from './connection-turns.js';
import { DatabaseHosts, IDLE_MS } from './database-hosts.js';
import { databaseErrorOf } from './database-error.js';
import { keptStatements } from './kept-statements.js';
import { NamingStrategy } from './naming-strategy.js';
import { planByIndex } from './plans-by-index.js';
import { abortableWork, RequestOver, requestTenant, throwIfOver } from './request-context.js';
import type { PrimaryClient } from './primary-client.js';
import { sendTogether } from './send-together.js';
import { send, txOf, type TransactionOptions, type Transactions, type Tx } from './tx.js';

export type { ListPage, Rows, Transactions, Tx } from './tx.js';

// Internal keys and counts are bigint in the database and safe integers here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * What every transaction that the work in this context begins does last: it commits with the rest of the transaction, and
 * an error in it rolls all of it back.
 */
export const beforeCommit = new AsyncLocalStorage<(tx: Tx) => Promise<void>>();

/** Whether the work in this context has a connection; known only where `refusesNesting` asks for it. */
const hasConnection = new AsyncLocalStorage<true>();

export type Entities = MixedList<Function | EntitySchema>;

export interface DatabaseOptions {
  /** With one server, or several: see `parseDatabaseUrl`. */
  url: string;
  poolSize: number;
  entities: Entities;
  migrations: MixedList<Function>;
  logger: Logger;
  /** Longest that a connection may take to be made, ms. */
  connectTimeoutMs?: number;
  /** Longest a statement may run, ms. */
  statementTimeoutMs?: number;
  /** For the metrics of the pool. */
  registry?: Registry;
  /** Fails where a request that has a connection asks for another one: all of them could wait for one more. For tests. */
  refusesNesting?: boolean;
}

/**
 * SQLSTATEs after which the same transaction, tried again, can succeed: serialization failure, deadlock; a read-only
 * transaction, because the next attempt looks for the server that accepts writes; and a kept statement that is outdated,
 * because the connection sends it unprepared from then on.
 */
const RETRYABLE = new Set(['40001', '40P01', '25006', '0A000', '26000', '42P05']);
const ATTEMPTS = 4;
/** A connection without traffic for this long is probed by TCP. */
const KEEPALIVE_MS = 5_000;

/** The connection pool. Everything that touches PostgreSQL goes through `read` or `transaction`. */
export class Database implements Transactions {
  private constructor(
    readonly source: DataSource,
    readonly hosts: DatabaseHosts,
    private readonly turns: ConnectionTurns,
    private readonly refusesNesting: boolean,
  ) {}

  static async open(options: DatabaseOptions): Promise<Database> {
    const hosts = new DatabaseHosts({ url: options.url, logger: options.logger });
    const source = new DataSource({
      type: 'postgres',
      url: hosts.url,
      entities: options.entities,
      migrations: options.migrations,
      migrationsTableName: 'schema_migration',
      migrationsTransactionMode: 'each',
      namingStrategy: new NamingStrategy(),
      synchronize: false,
      logging: false,
      poolSize: options.poolSize,
      applicationName: 'watchpost',
      connectTimeoutMS: options.connectTimeoutMs ?? 5_000,
      poolErrorHandler: (error: unknown) => options.logger.warn({ err: error }, 'idle database connection lost'),
      extra: {
        Client: hosts.Client,
        // What is sent without waiting for the former answer does not wait here either.
        pipeline: true,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEPALIVE_MS,
        idleTimeoutMillis: IDLE_MS,
        statement_timeout: options.statementTimeoutMs ?? 30_000,
        idle_in_transaction_session_timeout: 60_000,
        // Compiling a plan takes longer than any statement here runs: 273 ms for the verdict of one batch.
        options: '-c timezone=UTC -c jit=off',
      },
    });
    try {
      await source.initialize();
    } catch (error) {
      hosts.close();
      throw error;
    }
    const metrics = options.registry && connectionMetrics(options.registry);
    const turns = new ConnectionTurns(options.poolSize, metrics?.onWaited);
    metrics?.show(turns);
    return new Database(source, hosts, turns, options.refusesNesting ?? false);
  }

  /** Runs `work` on one connection without a transaction: for reading. */
  async read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inTurn(() => this.onConnection((client, manager) => untilOver(client, work, manager)));
  }

  /** Runs `work` in one transaction (READ COMMITTED); a deadlock or serialization failure runs it again. */
  async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const planned = prepared(work, options);
        const result = await this.inTurn(() =>
          options.startsWithWork ? this.startWithWork(planned, options) : this.startBeforeWork(planned),
        );
        abortableWork()?.noteCommit();
        return result;
      } catch (error) {
        if (attempt >= ATTEMPTS || !RETRYABLE.has(databaseErrorOf(error)?.code ?? '')) throw error;
      }
    }
  }

  /** Runs `work`, which uses one connection, when it is its turn. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const tenant = requestTenant();
    if (tenant !== undefined && hasConnection.getStore())
      throw new Error('nested work must use the tx that it is given');
    const giveBack = await this.turns.take(tenant);
    try {
      throwIfOver();
      return await (this.refusesNesting ? hasConnection.run(true, work) : work());
    } finally {
      giveBack();
    }
  }

  private startBeforeWork<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.onConnection((client, manager) =>
      manager.transaction(() => untilOver(client, withBeforeCommit(work), manager)),
    );
  }

  /** By the driver alone: TypeORM waits for the answer to the start. */
  private startWithWork<T>(work: (tx: Tx) => Promise<T>, { commitsIf = () => true }: TransactionOptions): Promise<T> {
    return this.onConnection(async (client) => {
      const started = send(client, { text: 'START TRANSACTION' }).then(
        () => null,
        (error: Error) => error,
      );
      try {
        const result = await withBeforeCommit(work)(txOf(client));
        const failure = await started;
        if (failure) throw failure;
        await send(client, { text: commitsIf(result) ? 'COMMIT' : 'ROLLBACK' });
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  private async onConnection<T>(work: (client: PrimaryClient, manager: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      return await work((await runner.connect()) as PrimaryClient, runner.manager);
    } finally {
      await runner.release();
    }
  }

  /** The changes are committed already. */
  afterCommit(announce: () => void): void {
    announce();
  }

  async close(): Promise<void> {
    this.hosts.close();
    if (this.source.isInitialized) await this.source.destroy();
  }
}

/** The work with the settings that it wants, which are sent with its first statements. */
function prepared<T>(
  work: (tx: Tx) => Promise<T>,
  { byIndex, lockTimeoutMs }: TransactionOptions,
): (tx: Tx) => Promise<T> {
  if (!byIndex && lockTimeoutMs === undefined) return work;
  return async (tx) => {
    const settings = [
      ...(byIndex ? [planByIndex(tx)] : []),
      ...(lockTimeoutMs === undefined
        ? []
        : [keptStatements(tx).query(`SELECT set_config('lock_timeout', $1, true)`, [String(lockTimeoutMs)])]),
    ];
    const [, result] = await sendTogether(Promise.all(settings), work(byIndex ? keptStatements(tx) : tx));
    return result;
  };
}

function withBeforeCommit<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  return async (tx) => {
    const result = await work(tx);
    await beforeCommit.getStore()?.(tx);
    return result;
  };
}

/** Runs `work` on a connection until it is done, or nobody waits for it any more. @throws RequestOver */
async function untilOver<T>(client: PrimaryClient, work: (tx: Tx) => Promise<T>, manager: EntityManager): Promise<T> {
  const abortable = abortableWork();
  if (!abortable) return work(txOf(client, manager));
  let cancelled: Promise<void> | undefined;
  const forget = abortable.onOver(() => {
    cancelled = client.endWork();
  });
  try {
    throwIfOver();
    const result = await work(txOf(client, manager));
    if (abortable.isOver) throw new RequestOver();
    return result;
  } catch (error) {
    throw abortable.isOver ? new RequestOver() : error;
  } finally {
    forget();
    // What comes next on this connection must not be cancelled instead.
    await cancelled;
    client.isOver = false;
  }
}
