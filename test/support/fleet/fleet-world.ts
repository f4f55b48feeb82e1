import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { systemClock } from '@watchpost/shared/clock';
import type { Region } from '@watchpost/shared/region';
import { entities } from '@watchpost/control-plane/app/schema';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { createAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import pino from 'pino';
import { runAdminCommand } from '../admin-command.js';
import { callApi } from '../call-api.js';
import { eventually, PATIENCE_MS } from '../eventually.js';
import { freePort } from '../free-port.js';
import { startTestIssuer, type TestIssuer } from '../issuer.js';
import { programIn, startProcess, type ManagedProcess } from '../managed-process.js';
import type { Api, ApiResponse, Json } from '../product.js';
import { startTestRedis, type TestRedis } from '../redis.js';
import type { SeenCheck } from './counting-target.js';
import { FleetAgent } from './fleet-agent.js';
import type { PatroniCluster } from './patroni-cluster.js';
import type { PostgresPair } from './postgres-pair.js';
import { PostgresProcess } from './postgres-process.js';
import { startTcpBalancer, type TcpBalancer } from './tcp-balancer.js';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The folder of this version of the product. */
export const PRESENT_ROOT = fileOf('../../../../');
const TARGET = fileOf('./counting-target.js');

export class ControlPlaneProcess {
  process!: ManagedProcess;

  constructor(
    readonly number: number,
    readonly port: number,
    private readonly env: Readonly<Record<string, string>>,
    private readonly logFile: string,
    /** The folder of the version that `start` runs. */
    public root: string,
  ) {}

  /** Starts the process without waiting for it. */
  launch(more: Readonly<Record<string, string>> = {}): ManagedProcess {
    this.process = startProcess({
      args: [programIn('control-plane', this.root)],
      env: { ...this.env, ...more },
      logFile: this.logFile,
    });
    return this.process;
  }

  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const started = this.launch(more);
    await eventually(
      `control plane ${this.number} is ready`,
      async () => {
        if (!started.running) throw new Error(`it ended: ${started.output().slice(-2_000)}`);
        return ['ok', 'degraded'].includes((await this.health()).status) ? true : undefined;
      },
      300_000,
    );
  }

  async health(): Promise<Json> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/health`, { signal: AbortSignal.timeout(10_000) });
    return answer.json();
  }
}

export interface FleetWorldOptions {
  controlPlanes: number;
  regions: readonly Region[];
  agentsEach: number;
  /** The folder of the version to start with; default: this one. */
  root?: string;
  /** Default: one server. */
  postgres?: PostgresPair | PatroniCluster;
  /** Further variables of a control plane, by its number. They are asked for when the database is up. */
  envOf?: (number: number) => Readonly<Record<string, string>>;
}

/** PostgreSQL, Redis, control planes, agents of several regions behind a balancer, and a site, each as a separate process. */
export class FleetWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'watchpost-fleet-'));
  postgres: PostgresProcess | PostgresPair | PatroniCluster = new PostgresProcess(join(this.folder, 'database'));
  readonly controlPlanes: ControlPlaneProcess[] = [];
  readonly agents: FleetAgent[] = [];
  redis!: TestRedis;
  target!: { process: ManagedProcess; port: number };
  private issuer!: TestIssuer;
  private balancer!: TcpBalancer;
  private db!: pg.Pool;
  private readonly encryptionKey = randomBytes(32).toString('base64');
  private turn = 0;
  private root = PRESENT_ROOT;

  static async start(options: FleetWorldOptions) {
    const world = new FleetWorld();
    if (options.postgres) world.postgres = options.postgres;
    try {
      await world.begin(options);
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  private async begin(options: FleetWorldOptions) {
    this.root = options.root ?? PRESENT_ROOT;
    await mkdir(join(this.folder, 'database'));
    [this.redis, this.issuer, this.target] = await Promise.all([
      startTestRedis(),
      startTestIssuer(),
      startCountingTarget(join(this.folder, 'target.log')),
      this.postgres.start(),
    ]);
    this.connect();
    const grpcPorts: number[] = [];
    for (let number = 1; number <= options.controlPlanes; number++) {
      const [port, grpcPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
      grpcPorts.push(grpcPort);
      const folder = join(this.folder, `control-plane-${number}`);
      const env = {
        DATA_DIR: folder,
        DATABASE_URL: this.postgres.url,
        DATABASE_POOL_SIZE: '10',
        REDIS_URL: this.redis.url,
        ENCRYPTION_KEY: this.encryptionKey,
        HOST: '127.0.0.1',
        PORT: String(port),
        GRPC_PORT: String(grpcPort),
        METRICS_PORT: String(metricsPort),
        OIDC_ISSUER: this.issuer.issuer,
        OIDC_AUDIENCE: this.issuer.audience,
        PROBE_ALLOW_CIDRS: '127.0.0.0/8',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        RATE_LIMIT_PER_MINUTE: '1000000',
        LOG_LEVEL: 'info',
        ...options.envOf?.(number),
      };
      this.controlPlanes.push(new ControlPlaneProcess(number, port, env, `${folder}.log`, this.root));
    }
    // The first process migrates the database.
    await this.controlPlanes[0]!.start();
    await Promise.all(this.controlPlanes.slice(1).map((one) => one.start()));
    this.balancer = await startTcpBalancer(grpcPorts);
    await this.addAgents(options);
  }

  private async addAgents({ regions, agentsEach }: { regions: readonly Region[]; agentsEach: number }): Promise<void> {
    const logger = pino({ level: 'silent' });
    const database = await Database.open({ url: this.postgres.url, poolSize: 2, entities, migrations: [], logger });
    for (const [index, region] of regions.entries()) {
      for (let number = 1; number <= agentsEach; number++) {
        const name = `${region}-${number}`;
        const { token } = await createAgent({ db: database, clock: systemClock }, { region, name });
        const agent = new FleetAgent({
          name,
          region,
          address: `127.0.${10 + index}.${number}`,
          token,
          folder: join(this.folder, `agent-${name}`),
          controlPlanePort: this.balancer.port,
          metricsPort: await freePort(),
          targetPorts: [this.target.port],
          root: this.root,
        });
        agent.start();
        this.agents.push(agent);
      }
    }
    await database.close();
    await eventually(
      'every agent is connected',
      async () =>
        (await Promise.all(this.agents.map((agent) => agent.isConnected()))).every(Boolean) ? true : undefined,
      300_000,
    );
  }

  /** Connects to the present primary. */
  connect(): void {
    void this.db?.end();
    this.db = new pg.Pool({ connectionString: this.postgres.serverUrl, max: 4 });
    this.db.on('error', () => {});
  }

  agentsOf(region: Region): FleetAgent[] {
    return this.agents.filter((agent) => agent.region === region);
  }

  /** Calls the control planes in turn, like a balancer, until one answers without a server error. */
  readonly api: Api = this.apiAs('user-1');

  /** The same as another user, whose email address is `sub` at example.test. */
  apiAs(sub: string): Api {
    return async <Body = Json>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const authorization = await this.authorizationOf(sub);
      return await eventually(
        `${method} ${path} is answered`,
        async () => {
          const { port } = this.controlPlanes[this.turn++ % this.controlPlanes.length]!;
          const url = `http://127.0.0.1:${port}${path}`;
          const answer = (await callApi(url, method, body, { authorization, ...headers })) as ApiResponse<Body>;
          return answer.status < 500 ? answer : undefined;
        },
        100_000,
      );
    };
  }

  /** One request of `user-1`, to the first process that takes it, as by a balancer that knows which are ready. */
  async apiOnce(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const failures: string[] = [];
    for (let number = 0; number < this.controlPlanes.length; number++) {
      const { port } = this.controlPlanes[this.turn++ % this.controlPlanes.length]!;
      try {
        const answer = await this.apiAt(port, method, path, body);
        if (answer.status !== 503) return answer;
        failures.push(`${port} answered 503`);
      } catch (error) {
        failures.push(`${port}: ${String((error as Error).cause ?? error)}`);
      }
    }
    throw new Error(failures.join('; '));
  }

  /** One request of `user-1` to the process with this port. */
  async apiAt(port: number, method: string, path: string, body?: unknown, deadlineMs?: number): Promise<ApiResponse> {
    const authorization = await this.authorizationOf('user-1');
    return await callApi(`http://127.0.0.1:${port}${path}`, method, body, { authorization }, deadlineMs);
  }

  private async authorizationOf(sub: string): Promise<string> {
    const claims = { email: `${sub}@example.test`, email_verified: true };
    return `Bearer ${await this.issuer.token({ sub, claims })}`;
  }

  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.db.query<Row>(text, values)).rows;
  }

  /** The caller, created by the first call. */
  async email(): Promise<string> {
    return (await this.api<{ email: string }>('GET', '/api/v1/user')).body.email;
  }

  admin(...args: string[]): Promise<string> {
    return runAdminCommand(args, { DATABASE_URL: this.postgres.url, ENCRYPTION_KEY: this.encryptionKey });
  }

  async seen(): Promise<SeenCheck[]> {
    return (await (await fetch(`http://127.0.0.1:${this.target.port}/control/seen`)).json()) as SeenCheck[];
  }

  /** Makes exactly these paths answer 500. */
  async breakPages(paths: readonly string[]): Promise<void> {
    await this.control('break', paths);
  }

  /** Cuts exactly the agents of this region off from all sites. */
  async cutOff(region: Region | null): Promise<void> {
    await this.control('cut', region ? this.agentsOf(region).map(({ address }) => address) : []);
  }

  private async control(what: string, list: readonly string[]): Promise<void> {
    await fetch(`http://127.0.0.1:${this.target.port}/control/${what}`, { method: 'POST', body: JSON.stringify(list) });
  }

  async stop(): Promise<void> {
    const agents = this.agents.map(({ process }) => process);
    const all = [...agents, ...this.controlPlanes.map(({ process }) => process)].filter((one) => one?.running);
    for (const one of agents) one.kill('SIGCONT');
    for (const one of all) one.kill('SIGTERM');
    await Promise.all(all.map((one) => one.ended(60_000).catch(() => one.kill('SIGKILL'))));
    await this.balancer?.stop();
    await this.db?.end();
    this.target?.process.kill('SIGKILL');
    await Promise.all([this.postgres.stop(), this.redis?.stop(), this.issuer?.stop()]);
    if (!process.env['KEEP_TEST_DATA']) rmSync(this.folder, { recursive: true, force: true });
  }
}

async function startCountingTarget(logFile: string): Promise<{ process: ManagedProcess; port: number }> {
  const process = startProcess({ args: [TARGET], env: {}, logFile });
  const line = await eventually('the site is ready', () => /^\{.*\}$/m.exec(process.output())?.[0], PATIENCE_MS, 20);
  return { process, port: (JSON.parse(line) as { port: number }).port };
}
