import pino from 'pino';
import { CHECK_KINDS } from '@watchpost/shared/check';
import { EXTRA_REGIONS } from '@watchpost/shared/region';
import { NOON } from '../support/database.js';
import { migrate } from '@watchpost/control-plane/platform/db/migrate';
import { migrations } from '@watchpost/control-plane/app/schema';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { startEmbeddedPostgres } from '@watchpost/control-plane/embedded/postgres/index';
import { BoundedReads } from '@watchpost/control-plane/capabilities/fleet/assignment/bounded-reads';
import { decideGainedShards } from '@watchpost/control-plane/capabilities/fleet/assignment/decide-gained-shards';
import { walkShards } from '@watchpost/control-plane/capabilities/fleet/assignment/shard-walk';
import {
  candidateOf,
  ownedShards,
  type Ownership,
} from '@watchpost/control-plane/capabilities/fleet/members/decide-owner';
import { monitorCheckSource } from '@watchpost/control-plane/capabilities/monitors/index';
import { rollUpResults } from '@watchpost/control-plane/capabilities/figures/index';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { seedWorkspace } from '../integration/results/seed.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { loadMonitors } from './load-monitors.js';

/** Monitors in eight regions: 50,000, 200,000 and 800,000 series. */
const SIZES = [6_250, 25_000, 100_000];
const AGENTS = 60;
const REGION = 'japaneast';

/**
 * Measures what grows with the number of series: a change of the members of a region, an agent that returns, and a portion
 * of the rollup. Times are those of the control plane and the database together.
 */
export async function benchScaleFleet(defer: Defer): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'watchpost-bench-scale-'));
  defer(() => rm(dataDir, { recursive: true, force: true }));
  const logger = pino({ level: 'silent' });
  const server = await startEmbeddedPostgres({ dataDir, logger });
  defer(() => server.stop());
  const db = await Database.open({ url: server.url, poolSize: 10, entities: [], migrations, logger });
  defer(() => db.close());
  await migrate(db, logger);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  defer(() => client.end());
  const workspace = await seedWorkspace(db);
  await client.query(`UPDATE user_account SET plan_limits = '{"monitors": null}'`);
  const rows: BenchRow[] = [];
  let loaded = 0;
  for (const monitors of SIZES) {
    // It loads the state of all monitors, also of those from before.
    await client.query('TRUNCATE series, monitor_state');
    await loadMonitors(client, workspace.id, monitors - loaded, 'https://shop.example/', EXTRA_REGIONS);
    loaded = monitors;
    await client.query('VACUUM ANALYZE monitor');
    rows.push(...(await measure(db, client, monitors, logger)));
  }
  return rows;
}

async function measure(db: Database, client: pg.Client, monitors: number, logger: pino.Logger): Promise<BenchRow[]> {
  const checks = monitorCheckSource({ secretBox: createSecretBox(Buffer.alloc(32, 7)), logger });
  const ids = Array.from({ length: AGENTS }, (_, index) => `agent-${index}`);
  const among = (members: readonly string[], epoch: string): Ownership => ({
    epoch,
    owners: members.map((id) => candidateOf(id, CHECK_KINDS)),
    former: [],
  });
  const [before, after] = [among(ids, '1'), among(ids.slice(1), '2')];
  const bounded = new BoundedReads(db);
  const walk = async (shards: readonly number[], isUrgent = false) => {
    const source = { reads: bounded.begin(isUrgent), checks };
    for await (const check of walkShards(source, { region: REGION, isOver: () => false }, shards)) void check;
  };
  await walk([1]);
  const series = `${(monitors * 8).toLocaleString('en')} series`;
  const takeover = (isUrgent: boolean) =>
    timed(() => Promise.all(ids.slice(1).map((id) => walk(decideGainedShards(id, before, after), isUrgent))));
  await takeover(false);
  const [aloneMs, takeoverMs] = [await takeover(false), await takeover(true)];
  const snapshotMs = await timed(() => walk([...ownedShards(before.owners, ids[0]!).keys()]));
  const { rows: keys } = await client.query<{ horizon: string }>('SELECT max(revision) + 1 AS horizon FROM monitor');
  const resumeMs = await timed(() => db.read((tx) => checks.changed(tx, Number(keys[0]!.horizon), 2_000)));
  return [
    benchRow({
      name: `${series}: one of ${AGENTS} agents is lost, the others read its checks`,
      value: takeoverMs,
      unit: 'ms',
      yardstick: { name: 'each by itself', value: aloneMs },
    }),
    benchRow({ name: '  it comes back after that: its snapshot is read', value: snapshotMs, unit: 'ms' }),
    benchRow({
      name: '  it comes back before that: the changes are read',
      value: resumeMs,
      unit: 'ms',
      aim: { text: '<= 50 ms', met: ({ value }) => value <= 50 },
    }),
    benchRow({
      name: '  an hour of all monitors is rolled up, per 500',
      value: await rollupMs(db, client, monitors),
      unit: 'ms',
    }),
  ];
}

/** An hour without results: what remains is the work of taking the dirty buckets. */
async function rollupMs(db: Database, client: pg.Client, monitors: number): Promise<number> {
  await client.query('TRUNCATE dirty_bucket');
  await client.query('UPDATE rollup_progress SET closed_until = $1', [new Date(NOON)]);
  await client.query(
    `INSERT INTO dirty_bucket SELECT key, $1::timestamptz - hour * interval '1 hour', false FROM monitor, generate_series(1, 8) AS hour`,
    [new Date(NOON)],
  );
  const tookMs = await timed(() => rollUpResults({ db, clock: { now: () => NOON } }));
  return tookMs / ((monitors * 8) / 500);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
