import type { Database } from './database.js';

/**
 * The statements that would make the tables what the entities state. TypeORM knows checks, foreign keys and indexes by
 * their names: where only the condition of one changes, its name has to change too.
 */
export async function readDifference({ source }: Database): Promise<string[]> {
  const { upQueries } = await source.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}
