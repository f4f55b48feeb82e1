import type pg from 'pg';
import { QueryFailedError, type EntityManager } from 'typeorm';

/** One transaction, or one connection for reading. Stores take it; verbs pass it on and never look inside. */
export interface Tx {
  /** The repositories of configuration entities. Not in a transaction that starts with its work. */
  readonly manager: EntityManager;
  /** The connection: for what sends its statements in a way of its own. */
  readonly client: pg.ClientBase;
  /** What `beforeEnd` keeps, in its order; undefined where it keeps nothing. */
  readonly atEnd?: AtEnd[];
  /**
   * Plain SQL on the same connection.
   * @returns the rows of the statement, those of `RETURNING` included
   */
  query<Row extends object = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** The same, where only the number matters. @returns how many rows were inserted, updated or deleted */
  execute(sql: string, params?: readonly unknown[]): Promise<number>;
}

/** A connection of the driver, whose statements fail as those of TypeORM do. @param manager of the same connection */
export function txOf(client: pg.ClientBase, manager?: EntityManager): Tx {
  return {
    get manager(): EntityManager {
      if (!manager) throw new Error('a transaction that starts with its work has no repositories');
      return manager;
    },
    client,
    query: async <Row extends object>(sql: string, params?: readonly unknown[]) =>
      (await send(client, { text: sql, values: params as unknown[] })).rows as Row[],
    execute: async (sql, params) => (await send(client, { text: sql, values: params as unknown[] })).rowCount ?? 0,
  };
}

/** @throws QueryFailedError */
export async function send(client: pg.ClientBase, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    return await client.query(statement);
  } catch (error) {
    throw new QueryFailedError(statement.text, statement.values, error as Error);
  }
}

/** Work that a transaction does last, once for the items of all calls with the same `work`. */
export interface AtEnd {
  items: readonly unknown[];
  work: (tx: Tx, items: readonly never[]) => Promise<void>;
}

export interface TransactionOptions {
  /**
   * Sends the start of the transaction with the first statement of `work`, which saves a round trip. Where the server refused
   * the start alone, that statement would be committed by itself: only for work that can be repeated after a part of it.
   */
  startsWithWork?: boolean;
  /** With `startsWithWork`: rolls back where this is false of the result, which is returned all the same. */
  commitsIf?: (result: unknown) => boolean;
  /**
   * Keeps all statements of `work`, reads tables by their indexes and joins rows one by one, with plans that are seconds old at
   * most. For tables that are empty at one time and full at another: plans for few rows would read the whole table later.
   */
  byIndex?: boolean;
  /** How long a statement waits for a row that others have locked, ms, before it fails. By default as long as it may run. */
  lockTimeoutMs?: number | undefined;
}

/** Where verbs get their transactions: the pool, or one transaction, of which each of theirs is a part then. */
export interface Transactions {
  /** Runs `work` on one connection without a transaction: for reading. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction: all of it or nothing. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs what other processes or caches hear of a change that `transaction` made, after it is committed. */
  afterCommit(announce: () => void): void;
}
