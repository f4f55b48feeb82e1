import type { EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';
import type { Tx } from './tx.js';

/**
 * Inserts a row unless a unique key of it is taken. Waits for a concurrent transaction that inserts the same.
 * @returns whether it was inserted
 */
export async function insertUnlessThere<Row extends ObjectLiteral>(
  { manager }: Tx,
  entity: EntityTarget<Row>,
  row: QueryDeepPartialEntity<Row>,
): Promise<boolean> {
  const keys = manager.connection.getMetadata(entity).primaryColumns.map(({ databaseName }) => databaseName);
  const insert = manager.createQueryBuilder().insert().into(entity).values(row).orIgnore().returning(keys);
  return ((await insert.execute()).raw as unknown[]).length > 0;
}
