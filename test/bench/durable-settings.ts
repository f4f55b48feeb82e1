import type pg from 'pg';

/** What makes a commit durable, and what decides how much a server does for it. */
const NAMES = [
  'server_version',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'wal_level',
  'shared_buffers',
  'max_wal_size',
  'checkpoint_timeout',
  'max_connections',
  'autovacuum',
] as const;
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/**
 * Prints the settings of the server that a bench of durable results uses.
 * @returns them, as `name value`
 * @throws when a commit would not be durable
 */
export async function printDurableSettings(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT name, current_setting(name) AS value FROM unnest($1::text[]) WITH ORDINALITY AS asked (name, place) ORDER BY place`,
    [NAMES],
  );
  const settings = new Map(rows.map(({ name, value }) => [name, value]));
  for (const name of DURABLE)
    if (settings.get(name) !== 'on') throw new Error(`${name} is ${settings.get(name)}: commits are not durable`);
  const lines = rows.map(({ name, value }) => `${name} ${value.split(' ')[0]}`);
  process.stdout.write(`PostgreSQL: ${lines.join(', ')}\n`);
  return lines;
}
