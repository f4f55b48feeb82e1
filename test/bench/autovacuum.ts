import { setTimeout as sleep } from 'node:timers/promises';
import { REGIONS, type Region } from '@watchpost/shared/region';
import { SECOND_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, NOON, resultOf, resultsDeps, seedMonitors, seedWorkspace } from '../integration/results/seed.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { BenchOptions, Defer } from './bench.js';

const CHECKED_IN: readonly Region[] = REGIONS.slice(0, 8).map(({ name }) => name);
/** Each checked once a minute in eight regions: with three databases, 2,000 results a second together. */
const MONITORS = 5_000;
const TABLES = ['series', 'check_result', 'dirty_bucket'] as const;

/** The settings that are compared; each has a database of its own, and all get the same results at the same time. */
const SETTINGS: readonly { name: string; change: readonly string[] }[] = [
  { name: 'as they are', change: [] },
  {
    name: 'of PostgreSQL',
    change: [
      'ALTER TABLE series RESET (autovacuum_vacuum_scale_factor)',
      'ALTER TABLE dirty_bucket RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)',
    ],
  },
  {
    name: 'rare',
    change: [
      'ALTER TABLE series SET (autovacuum_vacuum_scale_factor = 5)',
      'ALTER TABLE dirty_bucket SET (autovacuum_vacuum_threshold = 50000)',
    ],
  },
];

interface Installation {
  name: string;
  test: TestDatabase;
  keys: readonly number[];
  deps: ReturnType<typeof resultsDeps>;
  /** Of each batch after the first minute, ms. */
  times: number[];
}

/**
 * Measures how the hot tables grow under a steady load with different settings of autovacuum, and how long it works. Each
 * minute all hours become dirty and are taken again, sixty times as often as in an installation.
 */
export async function benchAutovacuum(defer: Defer, { minutes = 5 }: BenchOptions): Promise<BenchRow[]> {
  const installations: Installation[] = [];
  for (const { name, change } of SETTINGS) {
    const test = await createTestDatabase({ poolSize: 3 });
    defer(() => test.drop());
    await test.database.read(async (tx) => {
      for (const sql of change) await tx.query(sql);
    });
    const { id } = await seedWorkspace(test.database);
    const monitors = await seedMonitors(test.database, id, MONITORS, { regions: CHECKED_IN.slice(1) });
    // Phases do not depend on keys, so that the keys of a batch are unordered.
    const keys = monitors.map((_, index) => monitors[(index * 7_919) % monitors.length]!.key);
    installations.push({ name, test, keys, deps: resultsDeps(test.database), times: [] });
  }
  await Promise.all(installations.map((one) => load(one, minutes)));
  const rows: BenchRow[] = [];
  for (const one of installations) rows.push(...(await measure(one)));
  return rows;
}

async function load({ test, keys, deps, times }: Installation, minutes: number): Promise<void> {
  const startedMs = performance.now();
  const perSecond = Math.ceil(keys.length / 60);
  for (let second = 0; second < minutes * 60; second++) {
    const atMs = NOON + second * SECOND_MS;
    const from = (second % 60) * perSecond;
    const batch = keys.slice(from, from + perSecond);
    for (const region of CHECKED_IN) {
      deps.clock.set(atMs + SECOND_MS);
      const before = performance.now();
      await ingestBatch(
        deps,
        agentIn(region),
        batch.map((key, index) => resultOf(key, atMs + index)),
      );
      if (second >= 60) times.push(performance.now() - before);
    }
    if (second % 60 === 30) await markAndTake(test);
    const waitMs = startedMs + (second + 1) * SECOND_MS - performance.now();
    if (waitMs > 0) await sleep(waitMs);
  }
}

async function markAndTake({ database }: TestDatabase): Promise<void> {
  await database.transaction((tx) =>
    tx.query(
      `INSERT INTO dirty_bucket (monitor_key, starts_at, is_day)
      SELECT key, $1, false FROM monitor ORDER BY key`,
      [new Date(NOON)],
    ),
  );
  for (let rest = MONITORS; rest > 0; rest -= 500)
    await database.transaction((tx) =>
      tx.query(
        `DELETE FROM dirty_bucket WHERE monitor_key = ANY (ARRAY(SELECT monitor_key FROM dirty_bucket ORDER BY monitor_key LIMIT 500))`,
      ),
    );
}

async function measure({ name, test, times }: Installation): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const table of TABLES) {
    const [row] = await test.sql<{
      mb: number;
      vacuums: number;
      vacuumMs: number;
      dead: number;
      hot: number;
      updated: number;
    }>(
      `SELECT sum(pg_total_relation_size(relid))::float8 / 1e6 AS mb, sum(autovacuum_count + autoanalyze_count)::integer AS vacuums,
           sum(total_autovacuum_time + total_autoanalyze_time)::float8 AS "vacuumMs", sum(n_dead_tup)::integer AS dead,
           sum(n_tup_hot_upd)::integer AS hot, sum(n_tup_upd)::integer AS updated
         FROM pg_stat_user_tables WHERE relname = $1 OR relname LIKE $1 || '_p%' OR relname LIKE $1 || '_2%'`,
      [table],
    );
    const { mb, vacuums, vacuumMs, dead, hot, updated } = row!;
    rows.push(benchRow({ name: `${name}, ${table}: size`, value: mb, unit: 'MB' }));
    rows.push(benchRow({ name: '  autovacuum and analyze, runs', value: vacuums, unit: '' }));
    rows.push(benchRow({ name: '  … time', value: vacuumMs, unit: 'ms' }));
    rows.push(benchRow({ name: '  dead rows at the end', value: dead, unit: '' }));
    if (updated > 0)
      rows.push(benchRow({ name: '  updates within their page', value: (100 * hot) / updated, unit: '%' }));
  }
  const sorted = times.toSorted((a, b) => a - b);
  rows.push(
    benchRow({
      name: `${name}: batch of 84 results, p50`,
      value: sorted[Math.floor(sorted.length / 2)] ?? 0,
      unit: 'ms',
    }),
  );
  return rows;
}
