import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import { HOME_REGION } from '@watchpost/shared/region';
import { HOUR_MS } from '@watchpost/shared/time';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { startEmbeddedPostgres } from '@watchpost/control-plane/embedded/postgres/index';
import { migrate } from '@watchpost/control-plane/platform/db/migrate';
import { migrations } from '@watchpost/control-plane/app/schema';
import { ServiceHealth, startGrpcServer } from '@watchpost/control-plane/platform/grpc/index';
import { AgentService } from '@watchpost/control-plane/capabilities/fleet/index';
import type { AgentServiceDeps } from '@watchpost/control-plane/capabilities/fleet/streams/agent-service';
import { Partitions, type ResultSink } from '@watchpost/control-plane/capabilities/results/index';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { IngestMetrics } from '@watchpost/control-plane/capabilities/results/index';
import { VerdictMetrics } from '@watchpost/control-plane/capabilities/verdicts/index';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { seedMonitors, seedWorkspace } from '../integration/results/seed.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { printDurableSettings } from './durable-settings.js';
import { ask, forked } from './forked.js';
import type { StreamFigures, StreamLoad } from './stream-load.js';

const MONITORS = 10_000;
const logger = pino({ level: 'silent' });
/** The clock of the ingest follows the results, because fresh results are handled differently from replayed ones. */
const firstMinuteMs = Math.floor(Date.now() / 60_000) * 60_000 - HOUR_MS;

/**
 * Measures the results per second through the real gRPC server, with an empty ingest and with the database, where they are
 * acknowledged after the commit. Sender, server and database share the machine.
 */
export async function benchStream(defer: Defer): Promise<BenchRow[]> {
  const keys = Array.from({ length: MONITORS }, (_, index) => index + 1);
  const send = (
    port: number,
    load: Pick<StreamLoad, 'results' | 'warmUp' | 'batch' | 'inFlight' | 'perSecond' | 'firstMinuteMs' | 'monitorKeys'>,
  ) => {
    const sender = forked('stream-load.js', defer);
    return ask<StreamFigures>(sender, { ...load, port }).finally(() => sender.disconnect());
  };
  const idle = { perSecond: 0, firstMinuteMs, monitorKeys: keys };
  const nothing = await serve(defer, () => Promise.resolve([]));
  const single = await send(nothing, { ...idle, warmUp: 10_000, results: 40_000, batch: 1, inFlight: 32 });
  const batched = await send(nothing, { ...idle, warmUp: 100_000, results: 500_000, batch: 100, inFlight: 32 });
  const fewer = await send(nothing, { ...idle, warmUp: 100_000, results: 500_000, batch: 100, inFlight: 8 });

  const stored = await serveIngest(defer);
  const ours = { firstMinuteMs, monitorKeys: stored.monitorKeys };
  // The first result of a monitor costs more than later ones, so that three seconds warm up.
  const paced = await send(stored.port, {
    ...ours,
    warmUp: 3 * MONITORS,
    results: 80_000,
    batch: 100,
    inFlight: 64,
    perSecond: 10_000,
  });
  const full = await send(stored.port, {
    ...ours,
    firstMinuteMs: firstMinuteMs + 15 * 60_000,
    warmUp: 20_000,
    results: 200_000,
    batch: 100,
    inFlight: 32,
    perSecond: 0,
  });
  await stored.passTime(HOUR_MS);
  const late = await send(stored.port, {
    ...ours,
    firstMinuteMs: firstMinuteMs + 40 * 60_000,
    warmUp: 10_000,
    results: 40_000,
    batch: 500,
    inFlight: 8,
    perSecond: 0,
  });
  const one = { name: '1 a message', value: single.perSecond };
  return [
    benchRow({
      name: 'gRPC alone, batches of 100, 32 in flight',
      value: batched.perSecond,
      unit: 'results/s',
      yardstick: one,
    }),
    benchRow({
      name: 'gRPC alone, batches of 100, 8 in flight',
      value: fewer.perSecond,
      unit: 'results/s',
      yardstick: one,
    }),
    benchRow({
      name: 'stream to commit, batches of 100, 32 in flight',
      value: full.perSecond,
      unit: 'results/s',
      yardstick: { name: 'gRPC alone', value: batched.perSecond },
      aim: { text: '>= 40,000/s', met: ({ value }) => value >= 40_000 },
    }),
    benchRow({ name: '  acknowledged after, p99', value: full.p99Ms, unit: 'ms' }),
    benchRow({
      name: 'stream to commit of a backlog of an hour, batches of 500, 8 in flight',
      value: late.perSecond,
      unit: 'results/s',
    }),
    benchRow({ name: 'send to acknowledgement at 10,000 results/s, p50', value: paced.p50Ms, unit: 'ms' }),
    benchRow({
      name: 'send to acknowledgement at 10,000 results/s, p99',
      value: paced.p99Ms,
      unit: 'ms',
      aim: { text: '<= 50 ms', met: ({ value }) => value <= 50 },
    }),
  ];
}

async function serve(defer: Defer, ingest: ResultSink['ingest']): Promise<number> {
  const agent = {
    agentId: newId(Date.now()),
    agentKey: 1,
    name: 'bench',
    region: HOME_REGION,
    code: 1,
    workspaceId: null,
    egress: null,
  };
  const fleet: AgentServiceDeps['fleet'] = {
    authenticate: () => Promise.resolve(agent),
    openSession: () => ({ receive: () => {}, closed: () => {} }),
    watchRevocation: () => () => {},
  };
  const registry = new Registry();
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    agents: new AgentService({
      fleet,
      certificates: null,
      resultSink: { ingest },
      clock: systemClock,
      logger,
      registry,
    }),
    health: new ServiceHealth({ services: { '': true }, isReady: () => Promise.resolve(true) }),
    clock: systemClock,
    logger,
    registry,
  });
  defer(() => server.stop(1_000));
  return server.port;
}

async function serveIngest(
  defer: Defer,
): Promise<{ port: number; monitorKeys: number[]; passTime(ms: number): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'watchpost-bench-stream-'));
  defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, logger });
  defer(() => postgres.stop());
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await printDurableSettings(client);
  await client.end();
  const db = await Database.open({ url: postgres.url, poolSize: 4, entities: [], migrations, logger });
  defer(() => db.close());
  await migrate(db, logger);
  const registry = new Registry();
  const partitions = new Partitions({ db, clock: systemClock, retentionDays: 35 });
  await partitions.makeAhead();
  let nowMs = firstMinuteMs;
  const deps = {
    db,
    clock: { now: () => nowMs },
    secretBox: createSecretBox(Buffer.alloc(32, 7)),
    partitions,
    metrics: new IngestMetrics(registry),
    verdictMetrics: new VerdictMetrics(registry),
  };
  const workspace = await seedWorkspace(db);
  const monitors = await seedMonitors(db, workspace.id, MONITORS, { createdMs: firstMinuteMs - 2 * HOUR_MS });
  await db.read((tx) => tx.query('ANALYZE'));
  const port = await serve(defer, async (agent, results) => {
    nowMs = Math.max(nowMs, results.at(-1)!.scheduledAtMs + 1_000);
    await ingestBatch(deps, agent, results);
    return [];
  });
  // Silence is detected long before the delayed results arrive, because every process sweeps every few seconds.
  const passTime = async (ms: number): Promise<void> => {
    nowMs += ms;
    await sweepSilence(deps);
  };
  return { port, monitorKeys: monitors.map(({ key }) => key), passTime };
}
