import type { TestApp } from '../support/app.js';

/** Tables that a refused request may write to and that contain no configuration, and those that only agents write to. */
const LEFT_OUT = ['idempotency_key', 'event_stream_lease', 'schema_migration', 'check_result', 'check_failure'];
/** Columns of the same kind: a refused request also updates the last use of the workspace and the count of wrong codes. */
const COLUMN_LEFT_OUT = { alert_recipient: 'wrong_codes', workspace_member: 'last_used' };

/** The number of rows written in each table of an app, from its first digest on. */
const written = new WeakMap<TestApp, Promise<Map<string, number>>>();

/**
 * A digest of the rows of every table. Two digests are equal if nothing was written in between: triggers note what is
 * committed, because the digest is made after every request and the tables of a whole suite take long to read.
 */
export async function tableDigest(app: TestApp): Promise<string> {
  const noted = written.get(app) ?? noteWrites(app);
  written.set(app, noted);
  const counts = await noted;
  const rows = await app.sql<{ table: string; count: number }>(
    `WITH taken AS (DELETE FROM digest.written RETURNING table_name)
     SELECT table_name AS table, count(*) FROM taken GROUP BY 1`,
  );
  for (const { table, count } of rows) counts.set(table, (counts.get(table) ?? 0) + count);
  return Array.from(counts, ([table, count]) => `${table} ${count}`)
    .toSorted()
    .join('\n');
}

async function noteWrites({ sql }: TestApp): Promise<Map<string, number>> {
  const tables = await sql<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL($1)`,
    [LEFT_OUT],
  );
  const leftOut = new Map(Object.entries(COLUMN_LEFT_OUT));
  const triggers = tables.map(({ name }) => {
    const column = leftOut.get(name);
    const differs = column === undefined ? 'OLD *<> NEW' : `to_jsonb(OLD) - '${column}' <> to_jsonb(NEW) - '${column}'`;
    return `CREATE TRIGGER note_rows AFTER INSERT OR DELETE ON ${name}
              FOR EACH ROW EXECUTE FUNCTION digest.note('${name}');
            CREATE TRIGGER note_changes AFTER UPDATE ON ${name}
              FOR EACH ROW WHEN (${differs}) EXECUTE FUNCTION digest.note('${name}');`;
  });
  await sql(`
    CREATE SCHEMA digest;
    CREATE UNLOGGED TABLE digest.written (table_name text NOT NULL);
    CREATE FUNCTION digest.note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO digest.written VALUES (TG_ARGV[0]);
      RETURN NULL;
    END $$;
    ${triggers.join('\n')}`);
  return new Map();
}
