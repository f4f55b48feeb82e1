import pg from 'pg';
import { internalsOf } from './client-internals.js';
import type { ServerState } from './server-history.js';

const WRITABLE = `NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS "isWritable"`;
/** The name of the file that a primary writes begins with the timeline, right after its promotion too. */
const READ_STATE = `SELECT ${WRITABLE}, system_identifier::text AS cluster,
    CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline
  FROM pg_control_system()`;

/** Asks a server on a connection of its own. @returns null where it does not answer in time */
export async function readServerState(url: string, timeoutMs: number): Promise<ServerState | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'watchpost primary',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  const ask = async (): Promise<ServerState> => {
    await client.connect();
    return await readStateOn((sql) => client.query(sql));
  };
  const state = await Promise.race([ask().catch(() => null), late]);
  clearTimeout(timer);
  const ended = client.end().catch(() => {});
  // A server that does not answer does not end the connection either.
  if (state === null) internalsOf(client).connection.stream.destroy();
  else await ended;
  return state;
}

/** Asks a server on an open connection. */
export async function readStateOn(query: (sql: string) => Promise<pg.QueryResult>): Promise<ServerState> {
  const result = await query(READ_STATE).catch((error: { code?: string }) => {
    // Some managed services refuse these functions. They replace a server without losing transactions.
    if (error.code === undefined) throw error;
    return query(`SELECT ${WRITABLE}`);
  });
  const row = result.rows[0] as { isWritable: boolean; cluster?: string; timeline?: string | null };
  const { isWritable, cluster, timeline } = row;
  return {
    isWritable,
    history: cluster && timeline ? { cluster, timeline: Number.parseInt(timeline, 16) } : null,
  };
}
