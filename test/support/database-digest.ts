import type { TestApp } from './app.js';

/** A digest of all rows of each table. Two digests are equal if nothing was written in between. */
export async function databaseDigest({ sql }: Pick<TestApp, 'sql'>): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>(
    `SELECT format('%I', relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql<{ digest: string }>(
      `SELECT md5(coalesce(string_agg(whole_row::text, E'\\n' ORDER BY whole_row::text), '')) AS digest FROM ${name} whole_row`,
    );
    digests[name] = row!.digest;
  }
  return digests;
}
