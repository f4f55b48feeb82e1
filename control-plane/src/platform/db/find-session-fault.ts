import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Database } from './database.js';

/** One try could miss it, where others use the same pooler in that moment. */
const TRIES = 3;
const MARK = 'watchpost.session';

/**
 * Looks whether there is a pooler in between that takes from this process what it needs of a session: locks of sessions, on
 * which processes rely to exclude each other, notifications, kept statements and settings.
 * @returns what is wrong with DATABASE_URL; null where nothing is
 */
export async function findSessionFault(db: Database): Promise<string | null> {
  if (await sharesSessions(db))
    return 'DATABASE_URL: it leads to a pooler that gives each transaction another session of PostgreSQL; it takes one with pool_mode = session, or PostgreSQL itself.';
  const zone = await db.read((tx) => tx.value<string>(`SELECT current_setting('timezone')`));
  if (zone === 'UTC') return null;
  return `DATABASE_URL: it leads to a pooler that drops the settings of connections: the time zone is ${zone}; set it for the role, with ALTER ROLE … SET timezone = 'UTC'.`;
}

/** Tries whether a setting of one session is seen on another connection, or gone from its own while the other has a transaction. */
async function sharesSessions({ hosts }: Database): Promise<boolean> {
  const clients = [hosts.client({}), hosts.client({})] as const;
  const [one, other] = clients;
  const mark: string = randomUUID();
  try {
    for (const client of clients) {
      client.on('error', () => {});
      await client.connect();
    }
    for (let count = 0; count < TRIES; count++) {
      await one.query('SELECT set_config($1, $2, false)', [MARK, mark]);
      await other.query('BEGIN');
      if ((await readMark(other)) === mark || (await readMark(one)) !== mark) return true;
      await other.query('ROLLBACK');
    }
    return false;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

async function readMark(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query<{ mark: unknown }>('SELECT current_setting($1, true) AS mark', [MARK]);
  return rows[0]!.mark;
}
