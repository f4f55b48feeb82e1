import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { valuesOf } from '../../../platform/db/values-of.js';
import { partitionOf, storedDays, createPackedPartition, type Day } from '../../results/index.js';
import type { PackedSeries, SeriesColumns } from './pack-series.js';

/** Late results are stored under a share of it: also in the function `note_late_result` of the database. */
const LATE_LOCK = 7_761_003;
/** While the packer waits for a lock, those that come after it wait too. */
const LOCK_WAIT_MS = 500;

/** How far packing is; days as whole days since the epoch. */
export interface PackingProgress {
  /** Days before this are packed; null before the first. */
  packedUntil: Day | null;
  day: Day | null;
  /** Its monitors up to this key are packed; 0 when all are. */
  afterKey: number;
  /** When the last of them was packed; null before. */
  completeMs: number | null;
}

export interface SeriesKey {
  monitorKey: number;
  kind: number;
  region: number;
}

const MS = (column: string) => `(date_part('epoch', ${column}) * 1000)::bigint`;
const startOf = (day: Day) => new Date(day * DAY_MS);

/** The columns of a result after its scheduled time, as `sourcesOf` sends them; 4 or 2 bytes each. */
const SENT = [
  ['total_us', 4],
  ['dns_us', 4],
  ['connect_us', 4],
  ['tls_us', 4],
  ['first_byte_us', 4],
  ['transfer_us', 4],
  ['agent_key', 4],
  ['start_lag_ms', 2],
  ['fresh_s', 2],
  ['status_code', 2],
  ['outcome', 2],
] as const;
const SENT_BYTES = SENT.reduce((sum, [, bytes]) => sum + bytes, 8);

/** One value per series: an object for each row would cost more than packing it. */
const sourcesOf = (rows: string) =>
  `SELECT monitor_key AS "monitorKey", kind, region, string_agg(int8send(${MS('scheduled_at')})
     || ${SENT.map(([column, bytes]) => `int${bytes}send(${column})`).join(' || ')}, ''::bytea ORDER BY scheduled_at) AS results
   FROM ${rows} GROUP BY monitor_key, kind, region ORDER BY monitor_key, kind, region`;

type Source = SeriesKey & { results: Buffer };

export const packingStore = {
  /** Locks and reads the progress: only one process packs at a time. Undefined while another one does. */
  async lockProgress(tx: Tx): Promise<PackingProgress | undefined> {
    await tx.query(`SELECT set_config('lock_timeout', $1, true)`, [`${LOCK_WAIT_MS}ms`]);
    return readProgress(tx, 'FOR UPDATE SKIP LOCKED');
  },

  /** Waits until no process packs; none does until the transaction ends. */
  async hold(tx: Tx): Promise<void> {
    await readProgress(tx, 'FOR UPDATE');
  },

  /** Late results wait until the transaction ends, and this call waits for those that are being stored. */
  async holdLate(tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [LATE_LOCK]);
  },

  async setProgress(tx: Tx, { packedUntil, day, afterKey, completeMs }: PackingProgress): Promise<void> {
    await tx.query('UPDATE packing_progress SET packed_until = $1, day = $2, after_key = $3, complete_at = $4', [
      packedUntil === null ? null : startOf(packedUntil),
      day === null ? null : startOf(day),
      afterKey,
      completeMs === null ? null : new Date(completeMs),
    ]);
  },

  /** Prepares a day: a place for its packed results, and a trigger that notes its late ones. */
  async begin(tx: Tx, day: Day): Promise<void> {
    await createPackedPartition(tx, day);
    await tx.query(
      `CREATE OR REPLACE TRIGGER note_late_result BEFORE INSERT OR UPDATE ON ${partitionOf('check_result', day)}
       FOR EACH ROW EXECUTE FUNCTION note_late_result()`,
    );
  },

  /** The next monitors with rows on the day, each found by one search of the index. */
  async monitorsAfter(tx: Tx, day: Day, afterKey: number, limit: number): Promise<number[]> {
    const next = (after: string) =>
      `(SELECT monitor_key FROM ${partitionOf('check_result', day)} WHERE monitor_key > ${after} ORDER BY monitor_key LIMIT 1)`;
    return tx.column(
      `WITH RECURSIVE found AS (
         SELECT ${next('$1::bigint')} AS monitor_key, 1 AS place
         UNION ALL SELECT ${next('found.monitor_key')}, place + 1 FROM found WHERE monitor_key IS NOT NULL AND place < $2
       ) SELECT monitor_key AS "monitorKey" FROM found WHERE monitor_key IS NOT NULL`,
      [afterKey, limit],
    );
  },

  /** The rows of these monitors on a day, by series. */
  rows(tx: Tx, day: Day, monitorKeys: readonly number[]): Promise<Source[]> {
    return tx.query(sourcesOf(`${partitionOf('check_result', day)} WHERE monitor_key = ANY ($1)`), [monitorKeys]);
  },

  /** Their packed results and their rows, by series. */
  merged(tx: Tx, day: Day, monitorKeys: readonly number[]): Promise<Source[]> {
    const rows = `SELECT * FROM unpacked_result($1, $2, $3, 'infinity')
      UNION ALL SELECT * FROM ${partitionOf('check_result', day)} WHERE monitor_key = ANY ($1)`;
    return tx.query(sourcesOf(`(${rows}) AS result`), [monitorKeys, startOf(day), startOf(day + 1)]);
  },

  async insert(tx: Tx, packed: readonly (SeriesKey & PackedSeries)[]): Promise<void> {
    if (packed.length === 0) return;
    await tx.query(
      `INSERT INTO packed_result (monitor_key, starts_at, ends_at, step_ms, results, kind, region, bits)
       SELECT monitor_key, 'epoch'::timestamptz + starts_ms * interval '1 ms', 'epoch'::timestamptz + ends_ms * interval '1 ms',
         step_ms, results, kind, region, bits
       FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[], $5::smallint[], $6::smallint[], $7::smallint[], $8::bit varying[])
         AS made (monitor_key, starts_ms, ends_ms, step_ms, results, kind, region, bits)`,
      [
        ...valuesOf(packed, 'monitorKey', 'startsMs', 'endsMs', 'stepMs', 'results', 'kind', 'region'),
        packed.map(({ bits }) => `x${bits.toString('hex')}`),
      ],
    );
  },

  async deletePacked(tx: Tx, day: Day, monitorKeys: readonly number[]): Promise<void> {
    await tx.query('DELETE FROM packed_result WHERE monitor_key = ANY ($1) AND starts_at >= $2 AND starts_at < $3', [
      monitorKeys,
      startOf(day),
      startOf(day + 1),
    ]);
  },

  async deleteRows(tx: Tx, day: Day, monitorKeys: readonly number[]): Promise<void> {
    await tx.query(`DELETE FROM ${partitionOf('check_result', day)} WHERE monitor_key = ANY ($1)`, [monitorKeys]);
  },

  /**
   * Monitors with late results by day, which are then no longer known to have some. They are taken in the order of the index:
   * a search in the table would pass all that wait.
   */
  async takeLate(tx: Tx, limit: number): Promise<{ monitorKey: number; day: Day }[]> {
    const rows = await tx.query<{ monitorKey: number; dayMs: number }>(
      `WITH taken AS MATERIALIZED (
         SELECT DISTINCT day, monitor_key FROM late_result ORDER BY day, monitor_key LIMIT $1
       ), forgotten AS (
         DELETE FROM late_result USING taken WHERE late_result.day = taken.day AND late_result.monitor_key = taken.monitor_key
       ) SELECT monitor_key AS "monitorKey", ${MS('day')} AS "dayMs" FROM taken`,
      [limit],
    );
    return rows.map(({ monitorKey, dayMs }) => ({ monitorKey, day: dayMs / DAY_MS }));
  },

  /** Writers and readers of the rows of this day wait until the transaction ends, and this call waits for them. */
  async closeRows(tx: Tx, day: Day): Promise<void> {
    await tx.query(`LOCK TABLE ONLY ${partitionOf('check_result', day)} IN ACCESS EXCLUSIVE MODE`);
  },

  async hasLate(tx: Tx): Promise<boolean> {
    return tx.some('SELECT FROM late_result ORDER BY day, monitor_key LIMIT 1');
  },

  async truncateRows(tx: Tx, day: Day): Promise<void> {
    await tx.query(`TRUNCATE ${partitionOf('check_result', day)}`);
  },

  /** The oldest day that is not packed; null where there is none. */
  async oldestDay(tx: Tx): Promise<Day | null> {
    const { packedUntil } = (await readProgress(tx))!;
    const days = [...(await storedDays(tx))].filter((day) => day >= (packedUntil ?? 0));
    return days.length === 0 ? null : Math.min(...days);
  },

  /** How many monitors have late results that are not merged yet, by day. */
  async lateMonitors(tx: Tx): Promise<number> {
    return tx.value('SELECT count(*) AS monitors FROM (SELECT DISTINCT monitor_key, day FROM late_result) AS late');
  },

  /** The size of packed results on disk, with their index. */
  async bytes(tx: Tx): Promise<number> {
    return tx.value(
      `SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint AS bytes FROM pg_inherits
       WHERE inhparent = 'packed_result'::regclass`,
    );
  },
};

async function readProgress(tx: Tx, locking = ''): Promise<PackingProgress | undefined> {
  const [row] = await tx.query<{
    untilMs: number | null;
    dayMs: number | null;
    afterKey: number;
    completeMs: number | null;
  }>(
    `SELECT ${MS('packed_until')} AS "untilMs", ${MS('day')} AS "dayMs", after_key AS "afterKey", ${MS('complete_at')} AS "completeMs"
     FROM packing_progress ${locking}`,
  );
  if (!row) return undefined;
  const dayAt = (ms: number | null) => (ms === null ? null : ms / DAY_MS);
  const { untilMs, dayMs, afterKey, completeMs } = row;
  return { packedUntil: dayAt(untilMs), day: dayAt(dayMs), afterKey, completeMs };
}

export function columnsOf(results: Buffer): SeriesColumns {
  const length = results.length / SENT_BYTES;
  const column = () => new Int32Array(length);
  const columns: SeriesColumns = {
    scheduledMs: new Float64Array(length),
    total_us: column(),
    dns_us: column(),
    connect_us: column(),
    tls_us: column(),
    first_byte_us: column(),
    transfer_us: column(),
    agent_key: column(),
    start_lag_ms: column(),
    fresh_s: column(),
    status_code: column(),
    outcome: column(),
  };
  for (let index = 0, at = 0; index < length; index++) {
    columns.scheduledMs[index] = results.readInt32BE(at) * 2 ** 32 + results.readUInt32BE(at + 4);
    at += 8;
    for (const [name, bytes] of SENT) {
      columns[name][index] = bytes === 4 ? results.readInt32BE(at) : results.readInt16BE(at);
      at += bytes;
    }
  }
  return columns;
}
