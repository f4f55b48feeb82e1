import { readFile } from 'node:fs/promises';
import type { TestDatabase } from './database.js';
import { useTestServer } from './test-server.js';

/**
 * The deadlocks that PostgreSQL has ended in a test's database, each with the statements of both sides where the
 * server's log can be read.
 * @param connections of the pool; each reports its counters up to a minute late unless it is forced to
 */
export async function readDeadlocks({ database }: Pick<TestDatabase, 'database'>, connections = 10): Promise<string[]> {
  await Promise.all(
    Array.from({ length: connections }, () =>
      database.read((tx) => tx.query('SELECT pg_stat_force_next_flush() FROM pg_sleep(0.1)')),
    ),
  );
  const [row] = await database.read((tx) =>
    tx.query<{ name: string; count: number }>(
      'SELECT datname AS name, deadlocks AS count FROM pg_stat_database WHERE datname = current_database()',
    ),
  );
  const { name, count } = row!;
  if (count === 0) return [];
  const entries = entriesOf(await readFile((await useTestServer()).logFile ?? '', 'utf8').catch(() => ''));
  const details = entries.flatMap((entry, index) =>
    entry.includes(` ${name} ERROR:  deadlock detected`) ? [entries[index + 1] ?? ''] : [],
  );
  return details.length > 0 ? details : [`${count} deadlocks, which the log of the server names`];
}

/** The continuation lines of an entry begin with a tab. */
function entriesOf(log: string): string[] {
  return log.split(/\n(?!\t)/);
}
