import pg from 'pg';
import type { ServerState } from './server-history.js';

/** How long a server may take to cancel a statement, ms. */
const CANCEL_MS = 2_000;
const OWN = `pg_backend_pid() AS "backendPid", NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS "isWritable"`;
/** The name of the file that a primary writes begins with the timeline, right after its promotion too. */
const READ_STATE = `SELECT ${OWN}, system_identifier::text AS cluster,
    CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline
  FROM pg_control_system()`;

/** Asks a server on a connection of its own. @returns null where it does not answer in time */
export function readServerState(url: string, timeoutMs: number): Promise<ServerState | null> {
  return askServer(url, timeoutMs, readStateOn);
}

/**
 * Asks the server to cancel the running statement of a connection, which has that backend, over a connection of its own.
 * Resolves when the server has done so, after which it cancels no later statement. Never rejects: what is not cancelled
 * runs to its end.
 */
export async function cancelStatement(url: string, backendPid: number): Promise<void> {
  await askServer(url, CANCEL_MS, (client) => client.query('SELECT pg_cancel_backend($1)', [backendPid]));
}

async function askServer<T>(url: string, timeoutMs: number, ask: (client: pg.Client) => Promise<T>): Promise<T | null> {
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
  const answer = client.connect().then(() => ask(client));
  const result = await Promise.race([answer.catch(() => null), late]);
  clearTimeout(timer);
  const ended = client.end().catch(() => {});
  // A server that does not answer does not end the connection either.
  if (result === null) client.connection.stream.destroy();
  else await ended;
  return result;
}

/** Asks a server on an open connection, which has the backend that is returned. */
export async function readStateOn(client: pg.Client): Promise<ServerState & { backendPid: number }> {
  const result = await client.query(READ_STATE).catch((error: { code?: string }) => {
    // Some managed services refuse these functions. They replace a server without losing transactions.
    if (error.code === undefined) throw error;
    return client.query(`SELECT ${OWN}`);
  });
  const row = result.rows[0] as {
    backendPid: number;
    isWritable: boolean;
    cluster?: string;
    timeline?: string | null;
  };
  const { backendPid, isWritable, cluster, timeline } = row;
  return {
    backendPid,
    isWritable,
    history: cluster && timeline ? { cluster, timeline: Number.parseInt(timeline, 16) } : null,
  };
}
