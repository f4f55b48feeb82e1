import pg from 'pg';
import type { TestApp } from '../support/app.js';

/** Tables that a refused request may write to and that contain no configuration, and those that only agents write to. */
const LEFT_OUT = ['idempotency_key', 'event_stream_lease', 'schema_migration', 'check_result', 'check_failure'];
/** Columns of the same kind: a refused request also updates the last use of the workspace and the count of wrong codes. */
const ROW_OF: Readonly<Record<string, string>> = {
  alert_recipient: "(to_jsonb(t) - 'wrong_codes')",
  workspace_member: "(to_jsonb(t) - 'last_used')",
};

interface Table {
  /** Its name in SQL. */
  readonly name: string;
  /** The version of its rows when `line` was made. */
  version: string | undefined;
  /** Its part of the digest. */
  line: string;
}

interface Reader {
  readonly client: pg.Client;
  readonly tables: readonly Table[];
  /** Selects the version of every table, which changes with every written row. */
  readonly versions: pg.QueryConfig;
}

const readers = new WeakMap<TestApp, Promise<Reader>>();

/**
 * A digest of the rows of every table. Two digests are equal if nothing has changed in between.
 * Only tables with new row versions are read, because the digest is made after every request.
 */
export async function tableDigest(app: TestApp): Promise<string> {
  const reader = readers.get(app) ?? openReader(app);
  readers.set(app, reader);
  const { client, tables, versions } = await reader;
  const { rows } = await client.query<{ table: number; version: string }>(versions);
  const written: Table[] = [];
  for (const { table, version } of rows) {
    if (tables[table]!.version === version) continue;
    tables[table]!.version = version;
    written.push(tables[table]!);
  }
  for (const table of written) {
    const { name } = table;
    const content = await client.query<{ line: string }>(
      `SELECT '${name} ' || count(*) || ' ' || coalesce(sum(hashtextextended(${ROW_OF[name] ?? 't'}::text, 0)), 0) AS line FROM ${name} t`,
    );
    table.line = content.rows[0]!.line;
  }
  return tables.map(({ line }) => line).join('\n');
}

async function openReader(app: TestApp): Promise<Reader> {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  // The end of the app removes the database, and with it this connection.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL($1) ORDER BY 1`,
    [LEFT_OUT],
  );
  const tables = rows.map(({ name }): Table => ({ name, version: undefined, line: '' }));
  const text = tables
    .map(
      ({ name }, table) =>
        `SELECT ${table} AS table, count(*) || ' ' || coalesce(sum(hashtidextended(ctid, (tableoid::bigint << 32) + xmin::text::bigint)), 0) AS version FROM ${name}`,
    )
    .join(' UNION ALL ');
  return { client, tables, versions: { name: 'versions', text } };
}
