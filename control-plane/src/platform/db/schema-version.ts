import type { Tx } from './database.js';

/**
 * The schema version of a database is the number of migrations that have run on it, and that of a program the number of
 * migrations that it has.
 */
export interface SchemaState extends Readability {
  version: number;
}

export interface Readability {
  /** The lowest schema version of a program that can work on the database. */
  readableFrom: number;
  /** The version of Watchpost that has run the last migrations, which therefore can. */
  program: string;
}

const UNUSED: Readability = { readableFrom: 0, program: '' };

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
  if (!tables!.hasMigrations) return { version: 0, ...UNUSED };
  const [counted] = await tx.query<{ version: number }>('SELECT count(*)::int AS version FROM schema_migration');
  return { version: counted!.version, ...(tables!.hasVersion ? await readReadability(tx) : UNUSED) };
}

/** @returns which programs can work on a database that has this table */
export async function readReadability(tx: Pick<Tx, 'query'>): Promise<Readability> {
  const [row] = await tx.query<Readability>('SELECT readable_from AS "readableFrom", program FROM schema_version');
  return row ?? UNUSED;
}

/** Stores which version of Watchpost upgraded the database, and from which schema version on programs can work on it. */
export async function recordUpgrade(tx: Pick<Tx, 'execute'>, { readableFrom, program }: Readability): Promise<void> {
  const sql = 'UPDATE schema_version SET readable_from = greatest(readable_from, $1), program = $2';
  await tx.execute(sql, [readableFrom, program]);
}

/** @throws SchemaError where a program of schema version `own` cannot work on the database any more */
export function requireReadable({ readableFrom, program }: Readability, own: number): void {
  if (readableFrom <= own) return;
  throw new SchemaError(
    `The database has been upgraded for processes of schema version ${readableFrom} or later, and this one is of version ` +
      `${own}: it would write wrong rows. Start Watchpost ${program}, which upgraded the database, or a later version.`,
  );
}
