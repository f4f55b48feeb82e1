import { Registry } from 'prom-client';
import { ManualClock } from '@watchpost/shared/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import { PackingMetrics, packResults, readLatency } from '@watchpost/control-plane/capabilities/figures/index';
import { Partitions } from '@watchpost/control-plane/capabilities/results/index';
import { readCheckResults } from '@watchpost/control-plane/capabilities/figures/reading/read-check-results';
import { seedMonitors, seedWorkspace } from '../integration/results/seed.js';
import { createTestDatabase, NOON } from '../support/database.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';
import { cpuMs } from './process-usage.js';

/** Days that are packed: of all monitors, and of the one whose history is read. */
const DAYS = 2;
const HISTORY_DAYS = 30;
const MONITORS = 100;
const ASKED = 9;
const END = NOON - (NOON % DAY_MS);
/** A day is packed when its end is two days old: then it is in rows for two to three days. */
const ROW_DAYS = 2;
const KEPT_DAYS = 35;
/** Bytes of a row, with its key: record 21. */
const ROW_BYTES = 156;

/** Measures what packed results take, what packing costs, and reading them against reading the same rows. */
export async function benchPacking(defer: Defer): Promise<BenchRow[]> {
  const test = await createTestDatabase({ poolSize: 1 });
  defer(() => test.drop());
  const db = test.database;
  const clock = new ManualClock(END);
  const partitions = new Partitions({ db, clock, retentionDays: KEPT_DAYS });
  await partitions.ensureFor(Array.from({ length: HISTORY_DAYS + 1 }, (_, day) => END - day * DAY_MS));
  const workspace = await seedWorkspace(db);
  const monitors = await seedMonitors(db, workspace.id, MONITORS, { createdMs: END - 60 * DAY_MS });
  await load(
    db,
    monitors.map(({ key }) => key),
    DAYS,
  );
  await load(db, [monitors[0]!.key], HISTORY_DAYS, DAYS);
  await db.transaction((tx) => tx.query('UPDATE rollup_progress SET closed_until = $1', [new Date(END)]));
  const results = MONITORS * DAYS * 1_440;

  const deps = { db, clock, retentionDays: KEPT_DAYS };
  const { id } = monitors[0]!;
  const day = { startDate: END - 2 * DAY_MS + HOUR_MS, endDate: END - DAY_MS + HOUR_MS };
  const reads = {
    latency: () => readLatency(deps, workspace.id, id, { ...day, points: 300 }),
    history: () =>
      readCheckResults(
        deps,
        workspace.id,
        id,
        { startDate: END - HISTORY_DAYS * DAY_MS, endDate: END },
        { limit: 50, offset: 0 },
      ),
  };
  const ofRows = await timesOf(reads);
  clock.set(END + 3 * DAY_MS);
  const [backend] = await db.read((tx) => tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
  const metrics = new PackingMetrics(new Registry(), { db, clock });
  const before = { server: cpuMs(backend!.pid), own: process.cpuUsage() };
  let packed = 0;
  for (let round = 0; round <= HISTORY_DAYS; round++) {
    packed += await packResults({ db, clock, metrics });
    clock.advance(MINUTE_MS);
  }
  const serverMs = cpuMs(backend!.pid) - before.server;
  const { user, system } = process.cpuUsage(before.own);
  const perMillion = (ms: number) => (ms / packed) * 1_000;
  const ofPacked = await timesOf(reads);
  const bytes = (await packedBytes(db)) / results;
  const average = (ROW_DAYS * ROW_BYTES + (KEPT_DAYS - ROW_DAYS) * bytes) / KEPT_DAYS;
  return [
    benchRow({ name: 'bytes a packed result, with index', value: bytes, unit: 'bytes' }),
    benchRow({
      name: `bytes a result over ${KEPT_DAYS} days: ${ROW_DAYS} in rows of ${ROW_BYTES}, ${KEPT_DAYS - ROW_DAYS} packed`,
      value: average,
      unit: 'bytes',
      yardstick: { name: 'all in rows', value: ROW_BYTES },
      aim: { text: '<= 20 bytes', met: ({ value }) => value <= 20 },
    }),
    benchRow({
      name: '  with half a day more in rows, as days end',
      value: average + ((ROW_BYTES - bytes) * 0.5) / KEPT_DAYS,
      unit: 'bytes',
    }),
    benchRow({ name: 'CPU to pack a million results: PostgreSQL', value: perMillion(serverMs), unit: 's' }),
    benchRow({ name: 'CPU to pack a million results: Node', value: perMillion((user + system) / 1_000), unit: 's' }),
    benchRow({
      name: 'latency of a packed day, exact, p50',
      value: ofPacked.latency,
      unit: 'ms',
      yardstick: { name: 'of the same rows', value: ofRows.latency },
    }),
    benchRow({
      name: `list page of ${HISTORY_DAYS} days of packed results, p50`,
      value: ofPacked.history,
      unit: 'ms',
      yardstick: { name: 'of the same rows', value: ofRows.history },
    }),
  ];
}

async function timesOf<Name extends string>(
  reads: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const times = {} as Record<Name, number>;
  for (const name of Object.keys(reads) as Name[]) {
    await reads[name]();
    const taken: number[] = [];
    for (let asked = 0; asked < ASKED; asked++) {
      const startedMs = performance.now();
      await reads[name]();
      taken.push(performance.now() - startedMs);
    }
    times[name] = quantile(taken, 0.5);
  }
  return times;
}

/**
 * Checks by the minute of sites of four kinds: near, behind a CDN, far, and unreliable. Durations are distributed
 * log-normally, with a slow one now and then; names are mostly cached.
 */
async function load(db: Database, keys: readonly number[], days: number, skippedDays = 0): Promise<void> {
  for (let day = skippedDays + 1; day <= days; day++)
    await db.transaction((tx) =>
      tx.query(
        `INSERT INTO check_result
         SELECT key, $2::timestamptz + minute * interval '1 minute' + place * interval '137 ms',
           CASE WHEN fails THEN 10000000 ELSE dns + connect + tls + first_byte + transfer + 20 + (30 * random())::integer END,
           dns, connect, tls, CASE WHEN fails THEN 0 ELSE first_byte END, CASE WHEN fails THEN 0 ELSE transfer END, 7,
           (1 + 2 * random() + CASE WHEN random() < 0.1 THEN 18 * random() ELSE 0 END)::smallint, 150,
           CASE WHEN fails THEN 0 ELSE 200 END, 1, 1, CASE WHEN fails THEN 2 ELSE 1 END
         FROM generate_series(0, 1439) AS minute, unnest($1::bigint[]) WITH ORDINALITY AS monitor (key, place),
           LATERAL (VALUES (800, 3000, 150, 0.1, 0.15, 0.95, 0), (9000, 15000, 600, 0.03, 0.25, 0.9, 0.0005),
             (120000, 60000, 9000, 0.02, 0.3, 0.5, 0.002), (35000, 200000, 3000, 0.1, 0.5, 0, 0.02))
             AS site (rtt, server, body, jitter, sigma, cached, failing),
           LATERAL (SELECT random() < failing AS fails,
             CASE WHEN random() < cached THEN 0 ELSE (1500 * exp(0.5 * random_normal()))::integer END AS dns,
             (rtt * (1 + jitter * exp(0.8 * random_normal() + slow)))::integer AS connect,
             (1.6 * rtt * (1 + jitter * exp(0.8 * random_normal() + slow)))::integer AS tls,
             ((rtt + server) * exp(sigma * random_normal() + slow))::integer AS first_byte,
             (body * exp(0.4 * random_normal()))::integer AS transfer
             FROM (SELECT CASE WHEN random() < 0.02 THEN 1.5 * random() ELSE 0 END AS slow) AS now
             -- refers to the result, or all results would be the same
             WHERE key > minute - 1440) AS measured
         WHERE site.rtt = (ARRAY[800, 9000, 120000, 35000])[1 + key % 4]
         ORDER BY minute, place`,
        [keys, new Date(END - day * DAY_MS)],
      ),
    );
  await db.transaction((tx) => tx.query('ANALYZE check_result'));
}

/** Of the days that all monitors have results of. */
async function packedBytes(db: Database): Promise<number> {
  const [row] = await db.read((tx) =>
    tx.query<{ bytes: number }>(
      `SELECT sum(pg_total_relation_size(relid))::bigint AS bytes FROM pg_partition_tree('packed_result') AS tree
       JOIN pg_class ON pg_class.oid = relid WHERE isleaf AND relkind = 'r' AND right(relname, 8) >= to_char($1::timestamptz, 'YYYYMMDD')`,
      [new Date(END - DAYS * DAY_MS)],
    ),
  );
  return row!.bytes;
}
