import type pg from 'pg';
import { QueryFailedError, type EntityManager } from 'typeorm';

/** One transaction, or one connection for reading. Stores take it; verbs pass it on and never look inside. */
export interface Tx {
  /** The repositories of configuration entities. Not in a transaction that starts with its work. */
  readonly manager: EntityManager;
  /** The connection: for what sends its statements in a way of its own. */
  readonly client: pg.ClientBase;
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
