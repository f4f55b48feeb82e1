import type { Tx } from './database.js';

/**
 * The schema version of a database is the number of migrations that have run on it, and that of a program the number of
 * migrations that it has.
 */
export interface SchemaState {
  version: number;
  /** The lowest version of a program that can work on the database. */
  readableFrom: number;
}

/** The database and this program do not fit together: another version of Watchpost has to run. Exit code 3. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** @returns the state of a database, which may be empty */
export async function readSchemaState(tx: Pick<Tx, 'query'>): Promise<SchemaState> {
  const [tables] = await tx.query<{ hasMigrations: boolean; hasVersion: boolean }>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS "hasMigrations",
            to_regclass('schema_version') IS NOT NULL AS "hasVersion"`,
  );
  if (!tables!.hasMigrations) return { version: 0, readableFrom: 0 };
  const [counted] = await tx.query<{ version: number }>('SELECT count(*)::int AS version FROM schema_migration');
  return { version: counted!.version, readableFrom: tables!.hasVersion ? await readReadableFrom(tx) : 0 };
}

/** @returns the lowest version of a program that can work on a database that has this table */
export async function readReadableFrom(tx: Pick<Tx, 'query'>): Promise<number> {
  const [row] = await tx.query<{ readableFrom: number }>('SELECT readable_from AS "readableFrom" FROM schema_version');
  return row?.readableFrom ?? 0;
}

/** Stores that only programs of this version or a later one can work on the database from now on. */
export async function raiseReadableFrom(tx: Pick<Tx, 'execute'>, readableFrom: number): Promise<void> {
  await tx.execute('UPDATE schema_version SET readable_from = greatest(readable_from, $1)', [readableFrom]);
}

/** @throws SchemaError where a program of version `own` cannot work on the database any more */
export function requireReadable(readableFrom: number, own: number): void {
  if (readableFrom <= own) return;
  throw new SchemaError(
    `The database has been upgraded for processes of schema version ${readableFrom} or later, and this one is of version ` +
      `${own}: it would write wrong rows. Start the version of Watchpost that upgraded the database, or a later one.`,
  );
}
