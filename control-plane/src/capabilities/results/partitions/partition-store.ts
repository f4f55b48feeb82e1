import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';

const TABLES = ['check_result', 'check_failure', 'check_detail', 'check_answer'] as const;
/** Its partitions are created when a day is packed. */
const PACKED = 'packed_result';
/** Serialises the creation and dropping of partitions over all processes. */
const PARTITION_LOCK = 7_761_002;

/** A day as a number: whole days since the epoch, UTC. */
export type Day = number;

export function dayOf(ms: number): Day {
  return Math.floor(ms / DAY_MS);
}

export const partitionOf = (table: (typeof TABLES)[number] | typeof PACKED, day: Day) => nameOf(table, day);

const dateOf = (day: Day) => new Date(day * DAY_MS).toISOString().slice(0, 10);
const nameOf = (table: string, day: Day) => `${table}_p${dateOf(day).replaceAll('-', '')}`;

/** The days for which every table has a partition. */
export async function storedDays(tx: Tx): Promise<Set<Day>> {
  return new Set(
    await tx.column<number>(
      `SELECT to_date(right(child.relname, 8), 'YYYYMMDD') - date '1970-01-01' AS day
       FROM pg_inherits
       JOIN pg_class child ON child.oid = inhrelid
       WHERE inhparent = ANY ($1::regclass[]) AND NOT inhdetachpending AND child.relname ~ '_p[0-9]{8}$'
       GROUP BY 1 HAVING count(*) = $2`,
      [`{${TABLES.join(',')}}`, TABLES.length],
    ),
  );
}

/**
 * Creates the partitions of a day, in a transaction of its own. Attaching a finished table takes a lock under which
 * others continue to write; CREATE TABLE … PARTITION OF would block them.
 */
export async function createPartitions(tx: Tx, day: Day): Promise<void> {
  await attach(tx, TABLES, day);
}

export async function createPackedPartition(tx: Tx, day: Day): Promise<void> {
  await attach(tx, [PACKED], day);
}

/**
 * Drops the partitions of all days before `first`, outside of a transaction: DETACH CONCURRENTLY does not block readers
 * and writers. Does nothing while another process holds the lock.
 * @returns the number of dropped tables
 */
export async function dropPartitionsBefore(connection: Tx, first: Day): Promise<number> {
  const [lock] = await connection.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [PARTITION_LOCK]);
  if (!lock?.got) return 0;
  try {
    // Includes tables that were detached and not dropped, and those whose detaching was interrupted.
    const tables = await connection.query<{ name: string; parent: string | null; pending: boolean | null }>(
      `SELECT child.relname AS name, parent.relname AS parent, inhdetachpending AS pending
         FROM pg_class child
         LEFT JOIN pg_inherits ON inhrelid = child.oid LEFT JOIN pg_class parent ON parent.oid = inhparent
         WHERE child.relkind = 'r' AND child.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'check_result'::regclass)
           AND child.relname ~ $1 AND to_date(right(child.relname, 8), 'YYYYMMDD') < date '1970-01-01' + $2::integer
         ORDER BY child.relname`,
      [`^(${[...TABLES, PACKED].join('|')})_p[0-9]{8}$`, first],
    );
    for (const { name, parent, pending } of tables) {
      if (parent !== null)
        await connection.query(
          `ALTER TABLE ${parent} DETACH PARTITION ${name} ${pending ? 'FINALIZE' : 'CONCURRENTLY'}`,
        );
      await connection.query(`DROP TABLE ${name}`);
    }
    return tables.length;
  } finally {
    await connection.query('SELECT pg_advisory_unlock($1)', [PARTITION_LOCK]);
  }
}

async function attach(tx: Tx, tables: readonly Parameters<typeof partitionOf>[0][], day: Day): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [PARTITION_LOCK]);
  for (const table of tables) {
    const name = nameOf(table, day);
    const [attached] = await tx.query('SELECT 1 FROM pg_inherits WHERE inhrelid = to_regclass($1)', [name]);
    if (attached) continue;
    // A table without a parent is left from an interrupted drop: retention has expired for all of its rows.
    await tx.query(`DROP TABLE IF EXISTS ${name}`);
    await tx.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`);
    await tx.query(
      `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${dateOf(day)}+00') TO ('${dateOf(day + 1)}+00')`,
    );
  }
}
