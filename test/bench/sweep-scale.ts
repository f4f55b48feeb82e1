import { REGIONS, regionCode } from '@watchpost/shared/region';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { silenceSweeper } from '@watchpost/control-plane/capabilities/verdicts/index';
import { regionHealthStore } from '@watchpost/control-plane/capabilities/verdicts/trust/region-health-store';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import { NOON, resultsDeps } from '../integration/results/seed.js';
import { createTestDatabase } from '../support/database.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { median, rangeOf } from './figures.js';
import { cpuMs } from './process-usage.js';

const SIZES = [50_000, 200_000, 800_000];
/** In each of which every monitor is checked. */
const CHECKED_IN = REGIONS.slice(0, 8);
const MONITORS_OF_OWNER = 50;
/** Of the series, as many began to fail in the last minutes as usual. */
const FAILING_SHARE = 0.003;
const TICK_MS = 2 * SECOND_MS;
const TICKS = MINUTE_MS / TICK_MS;
/** Of sweeps that are measured: one by one they differ. */
const MINUTES = 5;
/** For so long a result is fresh, with the shortest timeouts: see `freshMs`. */
const FRESH_MS = 2 * MINUTE_MS;

/**
 * Measures what the sweep of an installation costs by the number of series: each with a result a minute, a few of them failing, and
 * in one of the sizes' regions everything failing. The clock is moved, so a minute of sweeps takes as long as its work.
 */
export async function benchSweepScale(defer: Defer): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  let former: { size: number; sweep: number; examination: number } | undefined;
  for (const size of SIZES) {
    const { sweeps, examination } = await measure(size, defer);
    const sweep = median(sweeps);
    const name = size.toLocaleString('en');
    const isLargest = size === SIZES.at(-1);
    rows.push(
      benchRow({
        name: `sweep for silence, ${name} series: CPU per second (${rangeOf(sweeps, 'ms')})`,
        value: sweep,
        unit: 'ms',
        ...(former && { yardstick: { name: `at ${former.size.toLocaleString('en')}`, value: former.sweep } }),
        ...(isLargest && { aim: { text: '<= 20 ms', met: ({ value }: { value: number }) => value <= 20 } }),
      }),
      benchRow({
        name: `examination of a failing region, ${name} series: CPU`,
        value: examination,
        unit: 'ms',
        ...(former && { yardstick: { name: `at ${former.size.toLocaleString('en')}`, value: former.examination } }),
      }),
    );
    former = { size, sweep, examination };
  }
  return rows;
}

async function measure(size: number, defer: Defer): Promise<{ sweeps: number[]; examination: number }> {
  // One connection: its server process does all the work.
  const test = await createTestDatabase({ poolSize: 1 });
  let isDropped = false;
  const drop = async () => {
    if (!isDropped) await test.drop();
    isDropped = true;
  };
  defer(drop);
  const db = test.database;
  await seed(db, size / CHECKED_IN.length);
  const [backend] = await db.read((tx) => tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
  const used = async (work: () => Promise<unknown>): Promise<number> => {
    const before = cpuMs(backend!.pid);
    const own = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(own);
    return cpuMs(backend!.pid) - before + (user + system) / 1_000;
  };
  const deps = resultsDeps(db);
  const sweep = silenceSweeper(deps);
  const minute = async (): Promise<number> => {
    let cpu = 0;
    for (let tick = 0; tick < TICKS; tick++) {
      deps.clock.set(deps.clock.now() + TICK_MS);
      await renewFreshness(db, tick, deps.clock.now());
      cpu += await used(sweep);
    }
    return cpu;
  };
  // The first sweep reads everything; the next ones settle on their plans.
  await sweep();
  await minute();
  const sweeps: number[] = [];
  while (sweeps.length < MINUTES) sweeps.push((await minute()) / (MINUTE_MS / SECOND_MS));
  const region = CHECKED_IN[1]!.name;
  await db.transaction((tx) =>
    tx.query(`UPDATE series SET streak_outcome = 2, last_outcome = 2, streak_since = $2 WHERE region = $1`, [
      regionCode(region),
      new Date(deps.clock.now()),
    ]),
  );
  const examine = () => db.read((tx) => regionHealthStore.sites(tx, region, [], deps.clock.now()));
  await examine();
  const examination = (await used(async () => [await examine(), await examine()])) / 2;
  await drop();
  return { sweeps, examination };
}

/** A result for each series that is due at this moment of the minute. */
async function renewFreshness(db: Database, tick: number, nowMs: number): Promise<void> {
  await db.transaction((tx) =>
    tx.query('UPDATE series SET last_scheduled_at = $2, fresh_until = $3 WHERE monitor_key % $4 = $1', [
      tick,
      new Date(nowMs),
      new Date(nowMs + FRESH_MS),
      TICKS,
    ]),
  );
}

/** Monitors of many owners, each of a site of its own, checked every minute in all regions, and healthy. */
async function seed(db: Database, monitors: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query("SET LOCAL statement_timeout = '5min'");
    await tx.query(
      `INSERT INTO user_account (id, issuer, subject, created, last_modified)
       SELECT gen_random_uuid(), 'https://issuer.test', number::text, now(), now() FROM generate_series(1, $1::integer) AS number`,
      [Math.ceil(monitors / MONITORS_OF_OWNER)],
    );
    await tx.query(
      `INSERT INTO workspace (id, name, owner_id, created, last_modified)
       SELECT gen_random_uuid(), 'Workspace', id, now(), now() FROM user_account`,
    );
    await tx.query(
      `INSERT INTO monitor (id, workspace_id, name, url, site, monitor_types, check_interval_ms, check_timeout_ms,
         checks_before_alert, checks_before_recovery, enabled_regions, reporting, created,
         last_modified, checks_changed)
       SELECT gen_random_uuid(), workspace.id, 'Shop', 'https://shop.test/', gen_random_uuid()::text, '{HttpAvailability}',
         60000, 30000, 2, 1, $2, '{}', $1, $1, $1
       FROM workspace, generate_series(1, ${MONITORS_OF_OWNER})`,
      [new Date(NOON - 60 * MINUTE_MS), CHECKED_IN.slice(1).map(({ name }) => name)],
    );
    await tx.query(
      `INSERT INTO series (monitor_key, counts_from, last_scheduled_at, last_started_at, conclusive_at, fresh_until,
         streak_since, last_total_us, streak, kind, region, last_outcome, streak_outcome, last_status_code, alert_after,
         recover_after, failing, settled)
       SELECT key, $1, $2, $2, $2, $2::timestamptz + (60 + key % ${TICKS} * 2) * interval '1 s', CASE WHEN fails THEN $2::timestamptz ELSE $1 END, 1000, 1,
         1, region, CASE WHEN fails THEN 2 ELSE 1 END, CASE WHEN fails THEN 2 ELSE 1 END, 200, 2, 1, false, true
       FROM monitor, unnest($3::smallint[]) AS region, LATERAL (SELECT random() < $4 AND key > 0 AS fails) AS of
       ORDER BY key, region`,
      [new Date(NOON - 60 * MINUTE_MS), new Date(NOON), CHECKED_IN.map(({ name }) => regionCode(name)), FAILING_SHARE],
    );
    await tx.query(
      `INSERT INTO monitor_state (monitor_key, workspace_id, health_status, verdict, verdict_since)
       SELECT key, workspace_id, 'available', 'available', checks_changed FROM monitor ORDER BY key`,
    );
  });
  await db.read((tx) => tx.query('VACUUM ANALYZE'));
}
