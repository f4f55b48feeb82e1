import type { DatabaseHosts } from '../db/database-hosts.js';
import { guardName } from '../db/former-processes.js';

/** 'watchpos' in ASCII: any number does, as long as it never changes. */
const LOCK_KEY = '8602284733557141363';
/** 'watchled' in ASCII. */
const LEAD_KEY = '8602284733556876644';

export type Place = 'alone' | 'shared';

export interface LockHolder {
  place: Place;
  /** For people. */
  description: string;
}

/** A database connection of its own, which holds the lock for as long as it lives. */
export interface LockSession {
  /** @returns whether the lock is held now */
  tryLock(place: Place): Promise<boolean>;
  /** Takes the lead of the installation, which one session has at a time. @returns whether this session has it now */
  tryLead(): Promise<boolean>;
  /** Who holds the lock, the first of several; null where nobody does any more. */
  findHolder(): Promise<LockHolder | null>;
  /** Throws where the connection is dead. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param schemaVersion that of this process, by which a migration that contracts finds it
 * @param onLost called once, when the connection ends without being closed
 */
export async function openLockSession(
  hosts: DatabaseHosts,
  schemaVersion: number,
  onLost: (error: Error) => void,
): Promise<LockSession> {
  const client = hosts.client({
    application_name: guardName(schemaVersion),
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
    // A process whose machine vanishes must not hold the lock for hours: PostgreSQL notices within some 15 s.
    options:
      '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3 -c idle_session_timeout=0',
  });
  let closing = false;
  let lost = false;
  let leads = false;
  const lose = (error: Error) => {
    if (closing || lost) return;
    lost = true;
    onLost(error);
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('the connection was closed')));
  try {
    await client.connect();
  } catch (error) {
    closing = true;
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    async tryLock(place) {
      const lock = place === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
      const { rows } = await client.query<{ locked: boolean }>(`SELECT ${lock}(${LOCK_KEY}) AS locked`);
      return rows[0]!.locked;
    },
    async tryLead() {
      if (closing || lost) return false;
      if (leads) return true;
      const { rows } = await client.query<{ leads: boolean }>(`SELECT pg_try_advisory_lock(${LEAD_KEY}) AS leads`);
      leads = rows[0]!.leads;
      return leads;
    },
    async findHolder() {
      const { rows } = await client.query<{ pid: number; address: string | null; since: Date; mode: string }>(
        `SELECT activity.pid, host(activity.client_addr) AS address, activity.backend_start AS since, lock.mode
           FROM pg_locks lock JOIN pg_stat_activity activity USING (pid)
          WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 1
            AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (lock.classid::bigint << 32 | lock.objid::bigint) = ${LOCK_KEY}
          ORDER BY activity.backend_start LIMIT 1`,
      );
      const holder = rows[0];
      if (!holder) return null;
      const where = holder.address ? ` from ${holder.address}` : '';
      return {
        place: holder.mode === 'ShareLock' ? 'shared' : 'alone',
        description: `a control plane connected${where} since ${holder.since.toISOString()} (PostgreSQL backend ${holder.pid})`,
      };
    },
    async ping() {
      await client.query('SELECT 1');
    },
    async close() {
      closing = true;
      await client.end().catch(() => undefined);
    },
  };
}
