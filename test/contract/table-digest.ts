import type { TestApp } from '../support/app.js';

/** What is written on the way to a refusal, and says nothing about configuration; results come from agents only. */
const LEFT_OUT = ['idempotency_key', 'schema_migration', 'check_result', 'check_failure'];
/** The same of columns: a caller uses the workspace that a request names, and wrong codes are counted, also where the request is refused. */
const ROW_OF: Readonly<Record<string, string>> = {
  alert_recipient: "(to_jsonb(t) - 'wrong_codes')",
  workspace_member: "(to_jsonb(t) - 'last_used')",
};

const statements = new WeakMap<TestApp, Promise<string>>();

/** Rows and content of every table of the product, as text: two are the same where nothing has changed in between. */
export async function tableDigest(app: TestApp): Promise<string> {
  const statement = statements.get(app) ?? digestStatement(app);
  statements.set(app, statement);
  const sql = await statement;
  const lines = await app.db.read((tx) => tx.query<{ line: string }>(sql));
  // A union has no order of its own: PostgreSQL reads its parts in parallel once the tables are large enough.
  return lines
    .map(({ line }) => line)
    .toSorted()
    .join('\n');
}

async function digestStatement(app: TestApp): Promise<string> {
  const tables = await app.sql<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL($1) ORDER BY 1`,
    [LEFT_OUT],
  );
  return tables
    .map(
      ({ name }) =>
        `SELECT '${name} ' || count(*) || ' ' || coalesce(sum(hashtextextended(${ROW_OF[name] ?? 't'}::text, 0)), 0) AS line FROM ${name} t`,
    )
    .join(' UNION ALL ');
}
