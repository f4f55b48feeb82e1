import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import { entities } from '@watchpost/control-plane/app/schema';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { planListeners } from '@watchpost/control-plane/app/compose-owner-changes';
import { setPlan } from '@watchpost/control-plane/capabilities/plans/set-plan';
import { systemClock } from '@watchpost/shared/clock';
import type { Region } from '@watchpost/shared/region';
import { HOUR_MS } from '@watchpost/shared/time';
import { eventually } from '../../support/eventually.js';
import { FleetAgent } from '../../support/fleet/fleet-agent.js';
import { ControlPlaneProcess, PRESENT_ROOT } from '../../support/fleet/fleet-world.js';
import { movableClock } from '../../support/fleet/movable-clock.js';
import { installedPostgres, PostgresPair } from '../../support/fleet/postgres-pair.js';
import { PostgresProcess } from '../../support/fleet/postgres-process.js';
import { startTcpBalancer, type TcpBalancer } from '../../support/fleet/tcp-balancer.js';
import { freePort } from '../../support/free-port.js';
import { startTestIssuer, type TestIssuer } from '../../support/issuer.js';
import { startMailServer, type MailServer } from '../../support/mail-server.js';
import { redisServerProgram, startTestRedis, type TestRedis } from '../../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import {
  startWebhookReceiver,
  type Behaviour,
  type ReceivedCall,
  type WebhookReceiver,
} from '../../support/webhook-receiver.js';
import type { Subjects } from '../draw/draw-faults.js';
import { SoakClient } from './soak-client.js';
import { startTargets, type Targets } from './start-targets.js';

export const REGIONS = ['northeurope', 'eastus2'] as const satisfies Region[];
const AGENTS_EACH = 2;
const CONTROL_PLANES = 2;

/** A part of the product that is a process, with the links that leave it. */
export interface Plane {
  name: string;
  plane: ControlPlaneProcess;
  database: TcpProxy[];
  redis: TcpProxy;
}
export interface Agent {
  name: string;
  agent: FleetAgent;
  link: TcpProxy;
}

/** The product as installed, with its targets and receivers, each a separate process, and a relay on every link. */
export class SoakWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'watchpost-soak-'));
  database!: PostgresPair | PostgresProcess;
  redis!: TestRedis;
  readonly planes: Plane[] = [];
  readonly agents: Agent[] = [];
  receiver!: WebhookReceiver;
  /** The webhooks that the receiver answered with success. */
  readonly taken: ReceivedCall[] = [];
  readonly takes: Behaviour = (call, response) => {
    this.taken.push(call);
    response.writeHead(204).end();
  };
  mail!: MailServer;
  targets!: Targets;
  client!: SoakClient;
  private issuer!: TestIssuer;
  private balancer!: TcpBalancer;
  private readonly encryptionKey = randomBytes(32).toString('base64');
  private isStopping = false;

  get pair(): PostgresPair | undefined {
    return this.database instanceof PostgresPair ? this.database : undefined;
  }

  get subjects(): Subjects {
    const planes = this.planes.map(({ name }) => name);
    const agents = this.agents.map(({ name }) => name);
    return {
      agent: agents,
      agentLink: agents,
      plane: planes,
      databaseLink: planes,
      redisLink: planes,
      database: ['database'],
      redis: ['redis'],
      receiver: ['receiver'],
      mail: ['mail'],
    };
  }

  async start(): Promise<void> {
    if (redisServerProgram() === undefined) throw new Error('The soak run needs redis-server.');
    const bin = installedPostgres();
    this.database = bin
      ? // The server's account may not look into the other folder.
        new PostgresPair(mkdtempSync(join(tmpdir(), 'watchpost-soak-pair-')), bin)
      : new PostgresProcess(join(this.folder, 'database'));
    await mkdir(join(this.folder, 'database'));
    [this.redis, this.issuer, this.receiver, this.mail, this.targets] = await Promise.all([
      startTestRedis(),
      startTestIssuer(),
      startWebhookReceiver(),
      startMailServer(),
      startTargets(this.folder),
      this.database.start(),
    ]);
    this.receiver.always(this.takes);
    const grpcPorts: number[] = [];
    for (let number = 1; number <= CONTROL_PLANES; number++) grpcPorts.push(await this.addPlane(number));
    this.client = new SoakClient({
      issuer: this.issuer,
      ports: this.planes.map(({ plane }) => plane.port),
      databaseUrl: () => this.database.serverUrl,
    });
    await this.planes[0]!.plane.start();
    await Promise.all(this.planes.slice(1).map(({ plane }) => plane.start()));
    this.balancer = await startTcpBalancer(grpcPorts);
    await this.addAgents();
  }

  /** @returns its port for agents */
  private async addPlane(number: number): Promise<number> {
    const name = `control-plane-${number}`;
    const [port, grpcPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
    const url = new URL(this.database.serverUrl);
    const servers = this.pair ? this.pair.ports : [Number(url.port)];
    const database = await Promise.all(servers.map((one) => startTcpProxy(one)));
    const redis = await startTcpProxy(Number(new URL(this.redis.url).port));
    const account = url.password ? `${url.username}:${url.password}` : url.username;
    const hosts = database.map((link) => `127.0.0.1:${link.port}`).join(',');
    const attributes = this.pair ? '?target_session_attrs=read-write' : '';
    const env = {
      DATA_DIR: join(this.folder, name),
      DATABASE_URL: `postgres://${account}@${hosts}${url.pathname}${attributes}`,
      DATABASE_POOL_SIZE: '10',
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      ENCRYPTION_KEY: this.encryptionKey,
      HOST: '127.0.0.1',
      PORT: String(port),
      GRPC_PORT: String(grpcPort),
      METRICS_PORT: String(metricsPort),
      OIDC_ISSUER: this.issuer.issuer,
      OIDC_AUDIENCE: this.issuer.audience,
      PROBE_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      SMTP_URL: `smtp://127.0.0.1:${this.mail.port}`,
      MAIL_FROM: 'Watchpost <alerts@watch.example>',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'info',
      // One can be ahead, the other one behind.
      ...movableClock({ stepMs: (number % 2 === 1 ? 2 : -2) * HOUR_MS }),
    };
    const plane = new ControlPlaneProcess(number, port, env, join(this.folder, `${name}.log`), PRESENT_ROOT);
    this.planes.push({ name, plane, database, redis });
    return grpcPort;
  }

  private async addAgents(): Promise<void> {
    await this.withDatabase(async (db) => {
      for (const [index, region] of REGIONS.entries()) {
        for (let number = 1; number <= AGENTS_EACH; number++) {
          const name = `${region}-${number}`;
          const { token } = await createAgent({ db, clock: systemClock }, { region, name });
          const link = await startTcpProxy(this.balancer.port);
          const agent = new FleetAgent({
            name,
            region,
            address: `127.0.${10 + index}.${number}`,
            token,
            folder: join(this.folder, `agent-${name}`),
            controlPlanePort: link.port,
            metricsPort: await freePort(),
            targetPorts: [this.targets.ports.http, this.targets.ports.https, this.targets.ports.tcp],
            root: PRESENT_ROOT,
            env: { NODE_EXTRA_CA_CERTS: this.targets.rootFile },
          });
          agent.start();
          this.agents.push({ name, agent, link });
        }
      }
    });
    await eventually('all is well', () => this.isWell(), 300_000);
  }

  /** Puts the owner on the largest plan, with room for these many monitors, of which the receivers are notified. */
  async admit(monitors: number): Promise<void> {
    const { body } = await this.client.call<{ email: string }>('GET', '/api/v1/user');
    await this.withDatabase((db) =>
      setPlan(
        { db, clock: systemClock, planListeners: planListeners({ clock: systemClock }) },
        { user: body.email, plan: 'Enterprise', limits: { monitors } },
      ),
    );
    const made = await Promise.all([
      this.client.call<{ id: string }>('POST', '/api/v1/action-groups/webhook', {
        name: 'Hook',
        url: this.receiver.url,
      }),
      this.client.call<{ id: string }>('POST', '/api/v1/action-groups/email', {
        name: 'Mail',
        recipients: [body.email],
      }),
    ]);
    const defaultActionGroupIds = made.map((group) => group.body.id);
    const { body: workspaces } = await this.client.call<{ id: string }[]>('GET', '/api/v1/workspaces');
    const changed = await this.client.call('PATCH', `/api/v1/workspaces/${workspaces[0]!.id}`, {
      settings: { defaultActionGroupIds },
    });
    if (changed.status !== 200) throw new Error(`the workspace was not changed: ${JSON.stringify(changed.body)}`);
  }

  private async withDatabase(work: (db: Database) => Promise<unknown>): Promise<void> {
    const logger = pino({ level: 'silent' });
    const db = await Database.open({ url: this.database.serverUrl, poolSize: 2, entities, migrations: [], logger });
    try {
      await work(db);
    } finally {
      await db.close();
    }
  }

  /** Whether every process is ready and every agent is connected with a nearly empty spool. For `eventually`. */
  async isWell(): Promise<true | undefined> {
    for (const { plane } of this.planes) if ((await plane.health()).status !== 'ok') return undefined;
    for (const { agent } of this.agents) {
      const { connected, spoolDepth } = await agent.health();
      if (!connected || spoolDepth > 50) return undefined;
    }
    return true;
  }

  /** Stops everything. Can be called at any time, and more than once. */
  async stop(): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    const links = [
      ...this.agents.map(({ link }) => link),
      ...this.planes.flatMap(({ database, redis }) => [...database, redis]),
    ];
    for (const link of links) link.restore();
    const processes = [
      ...this.agents.map(({ agent }) => agent.process),
      ...this.planes.map(({ plane }) => plane.process),
    ];
    const running = processes.filter((one) => one?.running);
    this.redis?.thaw();
    for (const one of running) {
      one.kill('SIGCONT');
      one.kill('SIGTERM');
    }
    await Promise.all(running.map((one) => one.ended(60_000).catch(() => one.kill('SIGKILL'))));
    this.targets?.stop();
    await Promise.all([
      this.balancer?.stop(),
      ...links.map((link) => link.stop()),
      this.database?.stop(),
      this.redis?.stop(),
      this.issuer?.stop(),
      this.receiver?.stop(),
      this.mail?.stop(),
    ]);
    if (!process.env['KEEP_TEST_DATA']) rmSync(this.folder, { recursive: true, force: true });
  }
}
