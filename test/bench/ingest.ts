import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import pino from 'pino';
import { CHECK_KIND_CODES, schedulePhaseMs } from '@watchpost/shared/check';
import { newId } from '@watchpost/shared/id';
import { OUTCOME_CODES, type CheckResult } from '@watchpost/shared/outcome';
import { FIRST_LOCATION_CODE, HOME_REGION, regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { startEmbeddedPostgres } from '@watchpost/control-plane/embedded/postgres/index';
import { migrate } from '@watchpost/control-plane/platform/db/migrate';
import { migrations } from '@watchpost/control-plane/app/schema';
import { type ReportingAgent, ResultSink } from '@watchpost/control-plane/capabilities/results/index';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import {
  agentIn,
  DOWN,
  NOON,
  resultOf,
  resultsDeps,
  seedMonitors,
  seedWorkspace,
} from '../integration/results/seed.js';
import { benchRow, type BenchRow } from './bench-row.js';
import { printDurableSettings } from './durable-settings.js';
import { quantile, rangeOf } from './figures.js';
import { childrenCpuMs } from './process-usage.js';

const MONITORS = 5_000;
const BATCH = 1_000;
const MINUTES = 40;
/** Turns of the product and of the yardstick alternate, so that noise affects both. */
const TURNS = 4;
/** The length of the comparison of a region with a private location. */
const MINUTES_OF_PLACES = 10;
/** Agents that send at the same time, each in a different region. */
const REGIONS: readonly Region[] = ['northeurope', 'eastus2'];
/** One in this many monitors is down for two minutes of every eight, so that nearly every batch changes a verdict. */
const FAILING = 250;

/**
 * Measures the results per second through the whole ingest (rows, duplicates, series, verdicts, durable commit), compared
 * with a bare COPY of the same rows into the same table in the same run, and the size of a result on disk.
 */
export async function benchIngest(): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'watchpost-bench-ingest-'));
  const logger = pino({ level: 'silent' });
  const server = await startEmbeddedPostgres({ dataDir, logger });
  try {
    const db = await Database.open({ url: server.url, poolSize: 4, entities: [], migrations, logger });
    try {
      await migrate(db, logger);
      return await measure(db, server.url);
    } finally {
      await db.close();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(db: Database, url: string): Promise<BenchRow[]> {
  const deps = resultsDeps(db);
  await deps.partitions.makeAhead();
  const workspace = await seedWorkspace(db);
  const monitors = await seedMonitors(db, workspace.id, MONITORS, { regions: ['eastus2'] });
  const keys = monitors.map(({ key }) => key);
  await db.transaction((tx) => tx.query('CREATE TABLE bench_copy (LIKE check_result INCLUDING ALL)'));
  await db.read((tx) => tx.query('ANALYZE'));
  const clients = await Promise.all(REGIONS.map(() => connect(url)));
  let ownMs = 0;
  let copyMs = 0;
  let results = 0;
  const cpu = { control: 0, database: 0 };
  const latencies: number[] = [];
  const ratios: number[] = [];
  await printDurableSettings(clients[0]!);
  for (let turn = 0; turn < TURNS; turn++) {
    // The first turn warms up. It is the only one in which all monitors are new and undecided.
    if (turn === 1) [cpu.control, cpu.database] = [0, 0];
    if (turn === 1) [ownMs, copyMs, results, latencies.length, ratios.length] = [0, 0, 0, 0, 0];
    const minutes = Array.from({ length: MINUTES / TURNS }, (_, index) => (turn * MINUTES) / TURNS + index);
    const batches = REGIONS.map((region) => minutes.flatMap((minute) => batchesOf(keys, minute, region)));
    results += batches.flat(2).length;
    const before = childrenCpuMs(process.pid);
    const turnOwnMs = await timed(() =>
      Promise.all(
        REGIONS.map(async (region, index) => {
          for (const batch of batches[index]!) {
            deps.clock.set(Math.max(deps.clock.now(), batch.at(-1)!.scheduledAtMs + 1_000));
            const started = performance.now();
            await ingestBatch(deps, agentIn(region), batch);
            latencies.push(performance.now() - started);
          }
        }),
      ),
    );
    const after = childrenCpuMs(process.pid);
    cpu.control += after.get('control plane')! - before.get('control plane')!;
    cpu.database += after.get('PostgreSQL')! - before.get('PostgreSQL')!;
    const turnCopyMs = await timed(() =>
      Promise.all(
        REGIONS.map(async (region, index) => {
          for (const batch of batches[index]!) await copy(clients[index]!, region, batch);
        }),
      ),
    );
    ownMs += turnOwnMs;
    copyMs += turnCopyMs;
    ratios.push(turnCopyMs / turnOwnMs);
  }
  await Promise.all(clients.map((client) => client.end()));
  const [own, yardstick] = [(results / ownMs) * 1_000, (results / copyMs) * 1_000];
  const bytes = await bytesPerResult(db);
  const places = await costOfPlaces(db, deps, workspace.id, keys.slice(0, 2 * BATCH));
  return [
    benchRow({
      name: `ingest, batches of ${BATCH}, ${REGIONS.length} agents at once (${rangeOf(ratios, 'x')})`,
      value: own,
      unit: 'results/s',
      yardstick: { name: 'raw COPY of the same rows', value: yardstick },
      aim: { text: '>= 0.5x and >= 40,000/s', met: ({ value, ratio }) => ratio >= 0.5 && value >= 40_000 },
    }),
    benchRow({ name: '  CPU of a result in PostgreSQL', value: (cpu.database * 1_000) / results, unit: 'us' }),
    benchRow({ name: '  … in the control plane', value: (cpu.control * 1_000) / results, unit: 'us' }),
    benchRow({ name: '  … of a region, from the stream on, both', value: places.region, unit: 'us' }),
    benchRow({
      name: '  … of a private location, whose monitors are compared, both',
      value: places.location,
      unit: 'us',
      yardstick: { name: 'of a region', value: places.region },
    }),
    benchRow({ name: `  a batch of ${BATCH} at full load, p99`, value: quantile(latencies, 0.99), unit: 'ms' }),
    benchRow({
      name: 'stored bytes a result, indexes and failures included',
      value: bytes,
      unit: 'bytes',
      yardstick: { name: 'heap and btree of a plain table (136)', value: 136 },
      aim: { text: '<= 100 bytes', met: ({ value }) => value <= 100 },
    }),
  ];
}

/** The CPU of a result, µs, of an agent of a region and of one of a private location, in turns. */
async function costOfPlaces(
  db: Database,
  deps: ReturnType<typeof resultsDeps>,
  workspaceId: string,
  keys: readonly number[],
): Promise<{ region: number; location: number }> {
  const sink = new ResultSink({
    ...deps,
    joiner: { ingest: (agent, results) => ingestBatch(deps, agent, results).then(() => undefined) },
  });
  const code = FIRST_LOCATION_CODE;
  await db.transaction((tx) => tx.query('UPDATE monitor SET private_locations = ARRAY[$1::smallint]', [code]));
  const agents: Record<'region' | 'location', ReportingAgent> = {
    region: agentIn(HOME_REGION),
    location: { ...agentIn(regionOfCode(code)), location: { id: newId(NOON), workspaceId } },
  };
  const cpuMs = { region: 0, location: 0 };
  const usedMs = () => [...childrenCpuMs(process.pid).values()].reduce((sum, ms) => sum + ms, 0);
  const resultsOf = (place: 'region' | 'location', minute: number): CheckResult[] => {
    const { location, region } = agents[place];
    const phaseOf = (monitorKey: number) =>
      schedulePhaseMs({ monitorKey, kind: 'http' }, location?.id ?? region, MINUTE_MS);
    return keys
      .map((key) => resultOf(key, NOON + (MINUTES + minute) * MINUTE_MS + phaseOf(key)))
      .toSorted((a, b) => a.scheduledAtMs - b.scheduledAtMs);
  };
  for (let minute = 0; minute <= MINUTES_OF_PLACES; minute++) {
    const results = { region: resultsOf('region', minute), location: resultsOf('location', minute) };
    for (let from = 0; from < keys.length; from += BATCH)
      for (const place of ['region', 'location'] as const) {
        const batch = results[place].slice(from, from + BATCH);
        deps.clock.set(Math.max(deps.clock.now(), batch.at(-1)!.scheduledAtMs + 1_000));
        const before = usedMs();
        const refused = await sink.ingest(agents[place], batch, () => {});
        if (refused.length > 0) throw new Error(`${refused.length} results were refused: ${refused[0]!.reason}`);
        // The first minute makes the series.
        if (minute > 0) cpuMs[place] += usedMs() - before;
      }
  }
  const results = MINUTES_OF_PLACES * keys.length;
  return { region: (cpuMs.region * 1_000) / results, location: (cpuMs.location * 1_000) / results };
}

function batchesOf(keys: readonly number[], minute: number, region: Region): CheckResult[][] {
  const results = keys.map((key, index) => {
    const failing = index % FAILING === 0 && (minute + index / FAILING) % 8 < 2;
    // Phases do not depend on keys, so that the keys of a batch are unordered.
    const phaseMs = Math.floor((((index * 7_919) % keys.length) * MINUTE_MS) / keys.length);
    return resultOf(key, NOON + minute * MINUTE_MS + phaseMs + regionCode(region), failing ? DOWN : undefined);
  });
  results.sort((a, b) => a.scheduledAtMs - b.scheduledAtMs);
  return Array.from({ length: Math.ceil(results.length / BATCH) }, (_, index) =>
    results.slice(index * BATCH, (index + 1) * BATCH),
  );
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function copy(client: pg.Client, region: Region, batch: readonly CheckResult[]): Promise<void> {
  const stream = client.query(copyFrom('COPY bench_copy FROM STDIN'));
  const done = once(stream, 'finish');
  stream.end(batch.map((result) => copyLine(result, region)).join(''));
  await done;
}

function copyLine(
  { key, scheduledAtMs, startedAtMs, totalUs, timings, freshMs, statusCode, outcome }: CheckResult,
  region: Region,
): string {
  const { dnsUs, connectUs, tlsUs, firstByteUs, transferUs } = timings;
  return `${[
    key.monitorKey,
    new Date(scheduledAtMs).toISOString(),
    totalUs,
    dnsUs,
    connectUs,
    tlsUs,
    firstByteUs,
    transferUs,
    7,
    startedAtMs - scheduledAtMs,
    Math.ceil(freshMs / 1_000),
    statusCode ?? 0,
    CHECK_KIND_CODES[key.kind],
    regionCode(region),
    OUTCOME_CODES[outcome.kind],
  ].join('\t')}\n`;
}

async function bytesPerResult(db: Database): Promise<number> {
  return db.read(async (tx) => {
    const [row] = await tx.query<{ bytes: number }>(
      `SELECT sum(pg_total_relation_size(relid))::bigint AS bytes
       FROM (SELECT * FROM pg_partition_tree('check_result') UNION ALL SELECT * FROM pg_partition_tree('check_failure')) AS tree
       WHERE isleaf`,
    );
    const [count] = await tx.query<{ count: number }>('SELECT count(*) AS count FROM check_result');
    return row!.bytes / count!.count;
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
