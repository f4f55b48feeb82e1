import { type Installation } from './installation.js';
import { type Row, UnreadableFile } from '../import/rows.js';
import { READ_TABLES } from './kuma-tables.js';

const MAGIC = 'SQLite format 3\0';
/** Of one table of configuration. */
const MOST_ROWS = 100_000;
/** Both bytes are 2 in a file with a write-ahead log, which a copy in memory cannot have, and 1 in any other. */
const JOURNAL_BYTES = [18, 19];

export function isSqlite(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

/** Reads the database file of Uptime Kuma 1.x or 2.x. @throws UnreadableFile */
export async function readSqlite(bytes: Uint8Array): Promise<Installation> {
  const copy = Uint8Array.from(bytes);
  for (const at of JOURNAL_BYTES) copy[at] = 1;
  // Nearly a MB, which no other command needs.
  const { default: initSqlJs } = await import('sql.js/dist/sql-wasm-inline.js');
  const { Database } = await initSqlJs();
  const database = new Database(copy);
  const select = (sql: string): Row[] => {
    const statement = database.prepare(sql);
    const rows: Row[] = [];
    while (statement.step()) rows.push(statement.getAsObject());
    statement.free();
    return rows;
  };
  try {
    const names = select(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).map(({ name }) =>
      String(name),
    );
    if (!names.includes('monitor') || !names.includes('notification'))
      throw new UnreadableFile('This SQLite file has no tables of Uptime Kuma: choose kuma.db of its data folder.');
    const tables = new Map<string, Row[]>();
    const counts = new Map<string, number>();
    for (const name of names) {
      const table = `"${name.replaceAll('"', '""')}"`;
      const count = Number(select(`SELECT count(*) AS count FROM ${table}`)[0]!['count']);
      if (!(READ_TABLES as readonly string[]).includes(name)) counts.set(name, count);
      else if (count > MOST_ROWS)
        throw new UnreadableFile(`The table ${name} has ${count} rows; at most ${MOST_ROWS} can be imported.`);
      else tables.set(name, select(`SELECT * FROM ${table} ORDER BY rowid`));
    }
    return { tables, counts };
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableFile(`This SQLite file cannot be read (${reason}): stop Uptime Kuma and copy kuma.db again.`);
  } finally {
    database.close();
  }
}
