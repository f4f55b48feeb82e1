import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { systemClock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { startEmbeddedPostgres } from '@watchpost/control-plane/embedded/postgres/index';
import { migrate } from '@watchpost/control-plane/platform/db/migrate';
import { migrations } from '@watchpost/control-plane/app/schema';
import { Partitions } from '@watchpost/control-plane/capabilities/results/index';
import { readAvailability, readJointCounts, readLatency } from '@watchpost/control-plane/capabilities/figures/index';
import { readUptime } from '@watchpost/control-plane/capabilities/figures/reading/read-uptime';
import { seedMonitors, seedWorkspace } from '../integration/results/seed.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { databaseTimes } from './database-times.js';
import { quantile } from './figures.js';
import { loadHours, loadRows, rollUp } from './report-load.js';

/** A step longer than any period, which is then one or two buckets. */
const LONGER_THAN_ANY = 10_000 * DAY_MS;
/** Days with rows and rollups. Earlier days have only rollups, as after the retention time of rows. */
const ROW_DAYS = 30;
const YEAR_DAYS = 365;
const MONITORS = 50;
const ASKED = 40;
const ASKED_OF_ROWS = 3;
/** The default value of the endpoint. */
const POINTS = 300;

/**
 * Measures availability, latency and uptime over a month and a year of one-minute checks from one region, with the
 * functions behind the endpoints: from rollups, and in the same run from rows alone.
 */
export async function benchReports(defer: Defer): Promise<BenchRow[]> {
  const logger = pino({ level: 'silent' });
  const dataDir = await mkdtemp(join(tmpdir(), 'watchpost-bench-reports-'));
  defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, logger });
  defer(() => postgres.stop());
  const db = await Database.open({ url: postgres.url, poolSize: 4, entities: [], migrations, logger });
  defer(() => db.close());
  await migrate(db, logger);

  const endMs = Date.now();
  const monthMs = endMs - ROW_DAYS * DAY_MS;
  const yearMs = endMs - YEAR_DAYS * DAY_MS;
  const partitions = new Partitions({ db, clock: systemClock, retentionDays: 35 });
  await partitions.ensureFor(Array.from({ length: ROW_DAYS + 1 }, (_, day) => monthMs + day * DAY_MS));
  const workspace = await seedWorkspace(db);
  const monitors = await seedMonitors(db, workspace.id, MONITORS, { createdMs: yearMs - DAY_MS });
  const keys = monitors.map(({ key }) => key);
  await loadRows(db, keys, monthMs, ROW_DAYS);
  const rollUpMs = await rollUp(db, keys, monthMs, endMs);
  const bytes = await bytesPerResult(db);
  await loadHours(db, keys, yearMs, monthMs);
  await db.read((tx) => tx.query('VACUUM ANALYZE'));

  const { id, key } = monitors[MONITORS / 2]!;
  const deps = { db, clock: systemClock, retentionDays: 35 };
  const month = { startDate: monthMs, endDate: endMs };
  const year = { startDate: yearMs, endDate: endMs };
  const joint = (startMs: number) => () =>
    db.read((tx) => readJointCounts(tx, workspace.id, keys, { startMs, endMs }, LONGER_THAN_ANY, 0));
  const ofMonth = {
    availability: () => readAvailability(deps, workspace.id, id, month),
    latency: () => readLatency(deps, workspace.id, id, { ...month, points: POINTS }),
    uptime: () => readUptime(deps, workspace.id, id, { startMs: monthMs, endMs }),
    uptimes: joint(monthMs),
  };
  const rolled = await timesOf(ASKED, {
    ...ofMonth,
    count: () =>
      db.read((tx) =>
        tx.query(
          'SELECT count(*) FROM check_result WHERE monitor_key = $1 AND scheduled_at >= $2 AND scheduled_at < $3',
          [key, new Date(monthMs), new Date(endMs)],
        ),
      ),
    availabilityOfYear: () => readAvailability(deps, workspace.id, id, year),
    latencyOfYear: () => readLatency(deps, workspace.id, id, { ...year, points: POINTS }),
    uptimeOfYear: () => readUptime(deps, workspace.id, id, { startMs: yearMs, endMs }),
    uptimesOfYear: joint(yearMs),
  });
  const inDatabase = await databaseTimes(db, ASKED, {
    availability: (explained) => readAvailability({ ...deps, db: explained }, workspace.id, id, month),
    latency: (explained) => readLatency({ ...deps, db: explained }, workspace.id, id, { ...month, points: POINTS }),
    availabilityOfYear: (explained) => readAvailability({ ...deps, db: explained }, workspace.id, id, year),
    latencyOfYear: (explained) =>
      readLatency({ ...deps, db: explained }, workspace.id, id, { ...year, points: POINTS }),
  });
  // Without a closed hour the same functions read only rows.
  await db.transaction((tx) => tx.query('UPDATE rollup_progress SET closed_until = NULL'));
  const raw = await timesOf(ASKED_OF_ROWS, ofMonth);

  const p50 = (times: readonly number[]) => quantile(times, 0.5);
  const aim = (most: number, what = '') => ({
    text: `<= ${most} ms${what}`,
    met: ({ value }: { value: number }) => value <= most,
  });
  const rows = (['availability', 'latency'] as const).flatMap((name) => [
    benchRow({
      name: `${name}, one monitor, 30 days, in the database, p50`,
      value: p50(inDatabase[name]),
      unit: 'ms',
      aim: aim(3),
    }),
    benchRow({
      name: `  with all that the control plane does, p50`,
      value: p50(rolled[name]),
      unit: 'ms',
      yardstick: { name: 'the same from the rows, p50', value: p50(raw[name]) },
    }),
    benchRow({ name: '  p99', value: quantile(rolled[name], 0.99), unit: 'ms' }),
    benchRow({
      name: `${name}, one monitor, 1 year, in the database, p50`,
      value: p50(inDatabase[`${name}OfYear`]),
      unit: 'ms',
      aim: aim(5),
    }),
    benchRow({
      name: `  with all that the control plane does, p50`,
      value: p50(rolled[`${name}OfYear`]),
      unit: 'ms',
      yardstick: { name: 'bare count of 30 days of rows, p50', value: p50(rolled.count) },
    }),
    benchRow({ name: '  p99', value: quantile(rolled[`${name}OfYear`], 0.99), unit: 'ms' }),
  ]);
  return [
    ...rows,
    benchRow({
      name: 'uptime alone, one monitor, 1 year, p99',
      value: quantile(rolled.uptimeOfYear, 0.99),
      unit: 'ms',
      yardstick: { name: '30 days, p99', value: quantile(rolled.uptime, 0.99) },
      aim: aim(50),
    }),
    benchRow({
      name: `uptime of ${MONITORS} monitors, 30 days, p50`,
      value: p50(rolled.uptimes),
      unit: 'ms',
      yardstick: { name: 'the same from the rows, p50', value: p50(raw.uptimes) },
    }),
    benchRow({
      name: `uptime of ${MONITORS} monitors, 1 year, p50`,
      value: p50(rolled.uptimesOfYear),
      unit: 'ms',
    }),
    benchRow({
      name: 'results rolled up, hours and days',
      value: (MONITORS * ROW_DAYS * 1_440 * 1_000) / rollUpMs,
      unit: 'results/s',
    }),
    benchRow({ name: 'bytes a result: the row and its index', value: bytes.rows, unit: 'bytes' }),
    benchRow({
      name: 'bytes a result: rollups by hour and day on top',
      value: bytes.rollups,
      unit: 'bytes',
      yardstick: { name: 'the row', value: bytes.rows },
    }),
  ];
}

async function timesOf<Name extends string>(
  asked: number,
  questions: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number[]>> {
  const entries = Object.entries(questions) as [Name, () => Promise<unknown>][];
  const times = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let turn = -Math.min(3, asked - 2); turn < asked; turn++) {
    for (const [name, ask] of entries) {
      const startedMs = performance.now();
      await ask();
      if (turn >= 0) times[name].push(performance.now() - startedMs);
    }
  }
  return times;
}

/** The sizes of the rows and of the rollups of the same month. */
async function bytesPerResult(db: Database): Promise<{ rows: number; rollups: number }> {
  const [size] = await db.read((tx) =>
    tx.query<{ rows: number; rollups: number; results: number }>(
      `SELECT (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('check_result') WHERE isleaf)::bigint AS rows,
         pg_total_relation_size('check_rollup') + pg_total_relation_size('check_rollup_day') AS rollups,
         (SELECT count(*) FROM check_result) AS results`,
    ),
  );
  const { rows, rollups, results } = size!;
  return { rows: rows / results, rollups: rollups / results };
}
