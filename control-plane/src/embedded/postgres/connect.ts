import { setTimeout as sleep } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { DATABASE, urlOf, type ClusterPaths } from './cluster-paths.js';

const CONNECT_DEADLINE_MS = 2_000;

/**
 * Whether the server on that port takes our password. SCRAM proves both sides to each other, so one that does
 * is this cluster's and no stranger on a port that was used before (RFC 5802 §3).
 */
export async function answers(paths: ClusterPaths, port: number): Promise<boolean> {
  return withClient(paths, port, 'postgres', () => Promise.resolve()).then(
    () => true,
    () => false,
  );
}

/** The first start makes the database; a start cut short before that makes it the next time. */
export async function ensureDatabase(paths: ClusterPaths, port: number): Promise<void> {
  await withClient(paths, port, 'postgres', async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount !== 0) return;
    await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: { code?: string }) => {
      // duplicate_database, or the unique index under it: another process was first
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    });
  });
}

async function withClient(
  paths: ClusterPaths,
  port: number,
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const password = await readFile(paths.password, 'utf8');
  const client = new pg.Client({
    connectionString: urlOf(password, port, database),
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    query_timeout: 10_000,
  });
  client.on('error', () => {
    // A server that ends between two statements is reported by the next statement.
  });
  try {
    await client.connect();
    await work(client);
  } finally {
    await Promise.race([client.end().catch(() => {}), sleep(500, undefined, { ref: false })]);
  }
}
