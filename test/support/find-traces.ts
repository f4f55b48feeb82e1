import type { TestApp } from './app.js';

/**
 * Finds texts such as ids, keys and addresses in all columns of all tables, bytes included.
 * @returns the tables that contain one of them, in alphabetical order
 */
export async function findTraces({ sql }: Pick<TestApp, 'sql'>, texts: readonly string[]): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'
       -- partitions are read through their table
       AND format('%I.%I', table_schema, table_name)::regclass NOT IN (SELECT inhrelid FROM pg_inherits)
     ORDER BY table_name`,
  );
  const patterns = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql(
      `SELECT FROM ${name} whole_row WHERE EXISTS (
         SELECT FROM unnest($1::text[]) AS pattern WHERE strpos(whole_row::text, pattern) > 0) LIMIT 1`,
      [patterns],
    );
    if (rows.length > 0) found.push(name.replace(/^public\./, ''));
  }
  return found;
}
