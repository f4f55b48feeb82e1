import type { Registry } from 'prom-client';
import { MINUTE_MS } from '@watchpost/shared/time';
import { metricsOn } from '@watchpost/shared/metrics-on';
import type { Database, Tx } from './database.js';

/** What keeps vacuum from removing row versions: it keeps all that are newer than the oldest of these. */
export interface SnapshotHolder {
  /** `standby`: one with `hot_standby_feedback`. */
  kind: 'transaction' | 'standby' | 'slot' | 'prepared';
  /** Of the PostgreSQL backend; null where there is none. */
  pid: number | null;
  /** For how long the transaction has been open; null where PostgreSQL does not know it. */
  ageMs: number | null;
  /** How many transactions have begun since. */
  transactions: number;
}

/**
 * What holds back vacuum in this database, without this connection. Other roles' transactions are visible to members of
 * `pg_read_all_stats` only.
 */
export async function readSnapshotHolders(tx: Tx): Promise<SnapshotHolder[]> {
  return tx.query<SnapshotHolder>(
    `SELECT CASE backend_type WHEN 'walsender' THEN 'standby' ELSE 'transaction' END AS kind, pid,
       (extract(epoch FROM clock_timestamp() - xact_start) * 1000)::float8 AS "ageMs",
       greatest(age(backend_xmin), age(backend_xid)) AS transactions
     FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
       AND (backend_type = 'walsender' OR backend_type = 'client backend' AND datname = current_database())
     UNION ALL
     SELECT 'slot', active_pid, NULL, age(xmin) FROM pg_replication_slots WHERE xmin IS NOT NULL
     UNION ALL
     SELECT 'prepared', NULL, (extract(epoch FROM clock_timestamp() - prepared) * 1000)::float8, age(transaction)
     FROM pg_prepared_xacts WHERE database = current_database()`,
  );
}

/** A transaction that is open for so long is worth a warning … */
const LONG_MS = 10 * MINUTE_MS;
/** … and so is one without a known time since which so many others have begun. */
const MANY_TRANSACTIONS = 100_000;

/** A sentence for operators about the worst of these, or null where none is old. Names no role or query: `/health` is public. */
export function describeOldSnapshot(holders: readonly SnapshotHolder[]): string | null {
  const isOld = ({ ageMs, transactions }: SnapshotHolder) =>
    ageMs === null ? transactions >= MANY_TRANSACTIONS : ageMs >= LONG_MS;
  const [worst] = holders.filter(isOld).toSorted((a, b) => b.transactions - a.transactions);
  if (!worst) return null;
  const { kind, pid, ageMs, transactions } = worst;
  const since = ageMs === null ? `for ${transactions} transactions` : `for ${Math.round(ageMs / MINUTE_MS)} min`;
  const backend = pid === null ? '' : ` (PostgreSQL backend ${pid})`;
  return `${NAMES[kind]}${backend} has kept vacuum from removing old row versions ${since}: tables that change often grow until it ends.`;
}

const NAMES: Record<SnapshotHolder['kind'], string> = {
  transaction: 'A transaction',
  standby: 'A standby with hot_standby_feedback',
  slot: 'A replication slot',
  prepared: 'A prepared transaction',
};

/** Registers the metrics of the oldest snapshot. Each scrape reads it: the values are the same on every process. */
export function showOldestSnapshot(registry: Registry, db: Database): void {
  const show = (name: string, help: string, valueOf: (holder: SnapshotHolder) => number) =>
    metricsOn(registry).shown(name, help, async () => {
      // While the database is unavailable the other metrics are still served.
      const holders = await db.read(readSnapshotHolders).catch(() => null);
      return holders && Math.max(0, ...holders.map(valueOf));
    });
  show(
    'watchpost_database_oldest_snapshot_seconds',
    'For how long the oldest open transaction has kept vacuum from removing old row versions',
    ({ ageMs }) => (ageMs ?? 0) / 1_000,
  );
  show(
    'watchpost_database_oldest_snapshot_transactions',
    'How many transactions have begun since the oldest snapshot, those of standbys and replication slots included',
    ({ transactions }) => transactions,
  );
}
