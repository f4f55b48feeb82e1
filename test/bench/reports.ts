import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { systemClock } from '@watchpost/shared/clock';
import { HOME_REGION, regionCode } from '@watchpost/shared/region';
import { Database } from '@watchpost/control-plane/db/database';
import { startEmbeddedPostgres } from '@watchpost/control-plane/db/embedded/index';
import { migrate } from '@watchpost/control-plane/db/migrate';
import { migrations } from '@watchpost/control-plane/db/migrations/index';
import { Partitions } from '@watchpost/control-plane/results/partitions';
import { readAvailability } from '@watchpost/control-plane/results/read-availability';
import { readLatency } from '@watchpost/control-plane/results/read-latency';
import { seedMonitors, seedWorkspace } from '../integration/results/seed.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';

const DAYS = 30;
const DAY = 86_400_000;
/** Their rows lie between those of the one that is asked for, as in real life. */
const MONITORS = 10;
const ASKED = 40;
/** What the endpoint answers with unless told otherwise. */
const POINTS = 300;

/**
 * Availability and latency of one monitor over 30 days of one-minute checks from one region, by the verbs behind the
 * endpoints, against a bare count over the same rows.
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

  const [startDate, endDate] = [Date.now() - DAYS * DAY, Date.now()];
  const partitions = new Partitions({ db, clock: systemClock, retentionDays: 35 });
  await partitions.ensureFor(Array.from({ length: DAYS + 1 }, (_, day) => startDate + day * DAY));
  const workspace = await seedWorkspace(db);
  const monitors = await seedMonitors(db, workspace.id, MONITORS, { createdMs: startDate - DAY });
  await load(
    db,
    monitors.map(({ key }) => key),
    startDate,
  );

  const { id, key } = monitors[MONITORS / 2]!;
  const deps = { db, clock: systemClock, retentionDays: 35 };
  const period = { startDate, endDate };
  const read = {
    count: () =>
      db.read((tx) =>
        tx.query(
          'SELECT count(*) FROM check_result WHERE monitor_key = $1 AND scheduled_at >= $2 AND scheduled_at < $3',
          [key, new Date(startDate), new Date(endDate)],
        ),
      ),
    availability: () => readAvailability(deps, workspace.id, id, period),
    latency: () => readLatency(deps, workspace.id, id, { ...period, points: POINTS }),
  };
  const times: Record<keyof typeof read, number[]> = { count: [], availability: [], latency: [] };
  for (let turn = -3; turn < ASKED; turn++) {
    for (const [name, ask] of Object.entries(read)) {
      const startedMs = performance.now();
      await ask();
      if (turn >= 0) times[name as keyof typeof read].push(performance.now() - startedMs);
    }
  }
  const yardstick = { name: 'count of the same rows, p50', value: quantile(times.count, 0.5) };
  const aim = { text: '<= 3 ms', met: ({ value }: { value: number }) => value <= 3 };
  return (['availability', 'latency'] as const).flatMap((name) => [
    benchRow({
      name: `${name}, one monitor, 30 days, p50`,
      value: quantile(times[name], 0.5),
      unit: 'ms',
      yardstick,
      aim,
    }),
    benchRow({ name: `${name}, one monitor, 30 days, p99`, value: quantile(times[name], 0.99), unit: 'ms' }),
  ]);
}

/** A result of every monitor for every minute, in the order in which they would have come. */
async function load(db: Database, keys: readonly number[], fromMs: number): Promise<void> {
  for (let day = 0; day < DAYS; day++) {
    await db.transaction((tx) =>
      tx.query(
        `INSERT INTO check_result (monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us,
           agent_key, start_lag_ms, fresh_s, status_code, kind, region, outcome)
         SELECT key, $2::timestamptz + minute * interval '1 minute' + place * interval '1 s', 40000 + hash % 20000, 1500,
           9000, 20000, 11000, 1000, 7, 2, 150, CASE WHEN hash % 2000 = 0 THEN 503 ELSE 200 END, $3::smallint,
           $4::smallint, CASE WHEN hash % 2000 = 0 THEN 2 ELSE 1 END
         FROM generate_series(0, 1439) AS minute, unnest($1::bigint[]) WITH ORDINALITY AS monitor (key, place),
           LATERAL (SELECT abs(hashint8(minute * 1000 + key + extract(epoch FROM $2::timestamptz)::bigint)) AS hash) AS random
         ORDER BY minute, place`,
        [keys, new Date(fromMs + day * DAY), CHECK_KIND_CODES.http, regionCode(HOME_REGION)],
      ),
    );
  }
  await db.transaction((tx) => tx.query('ANALYZE check_result'));
}
