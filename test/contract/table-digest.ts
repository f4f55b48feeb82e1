import type { TestApp } from '../support/app.js';

/** What is written on the way to a refusal, and says nothing about configuration. */
const LEFT_OUT = ['idempotency_key', 'schema_migration'];

/** Rows and content of every table of the product, as text: two are the same where nothing has changed in between. */
export async function tableDigest(app: TestApp): Promise<string> {
  const tables = await app.sql<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL($1) ORDER BY 1`,
    [LEFT_OUT],
  );
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name} ' || count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS line FROM ${name} t`,
  );
  const lines = await app.sql<{ line: string }>(parts.join(' UNION ALL '));
  return lines.map(({ line }) => line).join('\n');
}
