import type { Database } from './database.js';

/**
 * What would have to change in the database for it to be as the entities say: nothing, when the migrations and
 * the entities agree. Tables that no entity describes are left out, and so are foreign keys that no entity names: most
 * lead to tables that are written in plain SQL.
 * @returns SQL statements, one a difference
 */
export async function describeDrift(database: Database): Promise<string[]> {
  const { upQueries } = await database.source.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query).filter((query) => !/ DROP CONSTRAINT "\w+_fk"$/.test(query));
}
