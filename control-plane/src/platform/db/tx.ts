import type { EntityManager } from 'typeorm';

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
