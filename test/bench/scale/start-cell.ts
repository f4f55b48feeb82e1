import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@watchpost/control-plane/embedded/postgres/index';
import { createAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import { entities } from '@watchpost/control-plane/app/schema';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { systemClock } from '@watchpost/shared/clock';
import { HOME_REGION } from '@watchpost/shared/region';
import pg from 'pg';
import pino from 'pino';
import { ControlPlaneProcess, PRESENT_ROOT } from '../../support/fleet/fleet-world.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { startTestIssuer } from '../../support/issuer.js';
import { startTestRedis } from '../../support/redis.js';
import type { Defer } from '../bench.js';
import { heapQuestion } from '../retained.js';

/** Settings of a server that has this machine for itself; what makes commits durable stays as it is. */
const SERVER_SETTINGS = {
  shared_buffers: '2GB',
  min_wal_size: '4GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '5min',
};
/** The segments of `min_wal_size`, of 16 MB each. */
const WAL_SEGMENTS = 256;

/** One cell: a PostgreSQL, a Redis and control-plane processes, with mutual TLS for agents. */
export interface Cell {
  client: pg.Client;
  postgresPid: number;
  controlPlanes: readonly ControlPlaneProcess[];
  grpcUrls: readonly string[];
  metricsPorts: readonly number[];
  /** The part of an agent's token after its secret. */
  tokenEnd: string;
  folder: string;
  /** What the first process keeps on its heap. */
  heapBytes(): Promise<number>;
}

export async function startCell(processes: number, defer: Defer): Promise<Cell> {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-bench-scale-'));
  defer(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'database');
  mkdirSync(dataDir);
  const logger = pino({ level: 'silent' });
  const server = await startEmbeddedPostgres({ dataDir, logger, settings: SERVER_SETTINGS });
  defer(() => server.stop());
  const redis = await startTestRedis();
  defer(() => redis.stop());
  const heap = heapQuestion(defer);
  const issuer = await startTestIssuer();
  defer(() => issuer.stop());
  const shared = {
    DATABASE_URL: server.url,
    REDIS_URL: redis.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    OIDC_ISSUER: issuer.issuer,
    OIDC_AUDIENCE: issuer.audience,
    GRPC_TLS_HOSTS: 'localhost',
    LOG_LEVEL: 'info',
  };
  const controlPlanes: ControlPlaneProcess[] = [];
  const grpcUrls: string[] = [];
  const metricsPorts: number[] = [];
  for (let number = 1; number <= processes; number++) {
    const [port, grpcPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
    const own = join(folder, `control-plane-${number}`);
    const env = {
      ...shared,
      DATA_DIR: own,
      PORT: String(port),
      GRPC_PORT: String(grpcPort),
      METRICS_PORT: String(metricsPort),
      ...(number === 1 && heap.env),
    };
    const controlPlane = new ControlPlaneProcess(number, port, env, `${own}.log`, PRESENT_ROOT);
    // The first process migrates the database.
    await controlPlane.start();
    defer(async () => {
      controlPlane.process.kill('SIGTERM');
      await controlPlane.process.ended(8_000);
    });
    controlPlanes.push(controlPlane);
    grpcUrls.push(`https://localhost:${grpcPort}`);
    metricsPorts.push(metricsPort);
  }
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  defer(() => client.end());
  // A process is ready to serve the API before it serves agents; a token of that time would not name the authority.
  await eventually(
    'the authority for agents',
    async () => ((await client.query('SELECT FROM certificate_authority')).rowCount ?? 0) > 0 || undefined,
    60_000,
  );
  await useSegments(client);
  const db = await Database.open({ url: server.url, poolSize: 1, entities, migrations: [], logger });
  const { agentId, token } = await createAgent({ db, clock: systemClock }, { region: HOME_REGION, name: 'pin' });
  await db.close();
  await client.query('DELETE FROM agent WHERE id = $1', [agentId]);
  const postgresPid = Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    client,
    postgresPid,
    controlPlanes,
    grpcUrls,
    metricsPorts,
    tokenEnd: token.replace(/^[^.]*/, ''),
    folder,
    heapBytes: () => heap.ask(controlPlanes[0]!.process),
  };
}

/**
 * Uses as many segments of the WAL as the server keeps for reuse. A new server has none, and a commit that creates one waits
 * until its 16 MB are written: for the first two checkpoints, one commit every few seconds.
 */
async function useSegments(client: pg.Client): Promise<void> {
  for (let segment = 0; segment < WAL_SEGMENTS; segment++) {
    // A switch without a record before it does nothing.
    await client.query("SELECT pg_logical_emit_message(false, 'bench', '')");
    await client.query('SELECT pg_switch_wal()');
  }
  await client.query('CHECKPOINT');
}
