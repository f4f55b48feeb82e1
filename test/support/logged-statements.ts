import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Has the embedded server of a product log its statements for a while.
 * @returns how often each was executed in a minute of that time, by the beginning of its text
 */
export async function countLoggedStatements(
  client: pg.Client,
  dataDir: string,
  ms: number,
): Promise<Map<string, number>> {
  const log = join(dataDir, 'postgres', 'server.log');
  await client.query(`ALTER SYSTEM SET log_statement = 'all'`);
  await client.query('SELECT pg_reload_conf()');
  // Each server process reads its settings before its next statement.
  await sleep(1_000);
  const from = (await readFile(log, 'utf8')).length;
  const fromMs = performance.now();
  await sleep(ms);
  const text = (await readFile(log, 'utf8')).slice(from);
  const aMinute = 60_000 / (performance.now() - fromMs);
  const counts = new Map<string, number>();
  for (const entry of text.split(/^(?=\d{4}-\d\d-\d\d )/m)) {
    const statement = /(?:statement|execute [^:]+): ([\s\S]*)$/.exec(entry)?.[1];
    if (statement === undefined) continue;
    const start = statement.replace(/\s+/g, ' ').trim().slice(0, 70);
    counts.set(start, (counts.get(start) ?? 0) + aMinute);
  }
  return counts;
}
