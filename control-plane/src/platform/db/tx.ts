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
  /** The row of a statement that has at most one. */
  one<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row | undefined>;
  /** The only column of a statement's only row, such as a count. Undefined without a row: where it may have none, its type includes undefined. */
  value<Value>(sql: string, params?: readonly unknown[]): Promise<Value>;
  /** The only column of a statement, of all rows. */
  column<Value>(sql: string, params?: readonly unknown[]): Promise<Value[]>;
  /** @returns whether the statement has a row */
  some(sql: string, params?: readonly unknown[]): Promise<boolean>;
  page<Row extends object>(list: ListStatement, params: readonly unknown[], rows: Rows): Promise<ListPage<Row>>;
  /** The same, where only the number matters. @returns how many rows were inserted, updated or deleted */
  execute(sql: string, params?: readonly unknown[]): Promise<number>;
}

/** The rows of a list that a page has. */
export interface Rows {
  limit: number;
  offset: number;
}

export interface ListPage<Item> {
  items: Item[];
  /** The number of all, on whatever page. */
  total: number;
}

export function mapPage<Item, Other>({ items, total }: ListPage<Item>, change: (item: Item) => Other): ListPage<Other> {
  return { items: items.map((item) => change(item)), total };
}

/** The statement of a list, in parts, so that all can be counted too. */
export interface ListStatement {
  columns: string;
  from: string;
  /** The tables that are enough to count; default `from`. */
  counted?: string;
  where: string;
  orderBy: string;
}

/** The ways in which a transaction reads, by its `query`. */
export function readsBy(query: Tx['query']): Pick<Tx, 'query' | 'one' | 'value' | 'column' | 'some' | 'page'> {
  const column = async <Value>(sql: string, params?: readonly unknown[]) =>
    (await query(sql, params)).map((row) => Object.values(row)[0] as Value);
  const value = async <Value>(sql: string, params?: readonly unknown[]) => (await column<Value>(sql, params))[0]!;
  return {
    query,
    column,
    value,
    one: async <Row extends object>(sql: string, params?: readonly unknown[]) => (await query<Row>(sql, params))[0],
    some: async (sql, params) => (await query(sql, params)).length > 0,
    page: async <Row extends object>(
      { columns, from, counted = from, where, orderBy }: ListStatement,
      params: readonly unknown[],
      { limit, offset }: Rows,
    ): Promise<ListPage<Row>> => ({
      items: await query<Row>(
        `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${orderBy}
         LIMIT $${params.length + 1} OFFSET $${params.length + 2}`,
        [...params, limit, offset],
      ),
      total: await value<number>(`SELECT count(*) FROM ${counted} WHERE ${where}`, params),
    }),
  };
}

/** A connection of the driver, whose statements fail as those of TypeORM do. @param manager of the same connection */
export function txOf(client: pg.ClientBase, manager?: EntityManager): Tx {
  return {
    get manager(): EntityManager {
      if (!manager) throw new Error('a transaction that starts with its work has no repositories');
      return manager;
    },
    client,
    ...readsBy(
      async <Row extends object>(sql: string, params?: readonly unknown[]) =>
        (await send(client, { text: sql, values: params as unknown[] })).rows as Row[],
    ),
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
