import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runAdminCommand } from './admin-command.js';
import { callApi } from './call-api.js';
import { cloneTemplate } from './database.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { startTestIssuer, type TestIssuer } from './issuer.js';
import { programIn, startProcess, type ManagedProcess } from './managed-process.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ADMIN = join(ROOT, 'control-plane/dist/admin.js');
const run = promisify(execFile);

/** The result of `JSON.parse`. A test reads the fields that it expects. */
export type Json = ReturnType<typeof JSON.parse>;

export interface ApiResponse<Body = Json> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Api {
  <Body = Json>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<Body>>;
}

/** The product as real processes: a control plane, and the agents that a test adds. */
export interface Product {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly grpcPort: number;
  readonly metricsPort: number;
  readonly issuer: TestIssuer;
  controlPlane: ManagedProcess;
  startControlPlane(): Promise<void>;
  /** Calls REST with a token of `sub` (default the same user each time). */
  api: Api;
  apiAs(sub: string): Api;
  /** Runs an operator's command: as a process where the product has its own database, else in this one, which costs less. */
  admin(...args: string[]): Promise<string>;
  createAgent(region: string, name: string): Promise<{ agentId: string; token: string }>;
  startAgent(options: {
    name: string;
    token: string;
    grpcPort?: number;
    env?: Readonly<Record<string, string>>;
  }): ManagedProcess;
  stop(): Promise<void>;
}

export interface ProductOptions {
  env?: Record<string, string>;
  /** An embedded PostgreSQL under `dataDir`, as in production. Default: a database of the test server, which starts faster. */
  hasOwnDatabase?: boolean;
  /** The folder of the control plane. Default: this checkout. */
  folder?: string;
}

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'watchpost-product-'));
  const [port, grpcPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const issuer = await startTestIssuer();
  const hasDatabase = options.hasOwnDatabase || options.env?.['DATABASE_URL'] !== undefined;
  const database = hasDatabase ? undefined : await cloneTemplate('today');
  const baseUrl = `http://127.0.0.1:${port}`;
  const entry = programIn('control-plane', options.folder);
  const env = {
    DATA_DIR: dataDir,
    ...(database && { DATABASE_URL: database.url }),
    HOST: '127.0.0.1',
    PORT: String(port),
    GRPC_PORT: String(grpcPort),
    METRICS_PORT: String(metricsPort),
    OIDC_ISSUER: issuer.issuer,
    OIDC_AUDIENCE: issuer.audience,
    PROBE_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    RATE_LIMIT_PER_MINUTE: '100000',
    START_HOME_AGENT: '0',
    LOG_LEVEL: 'debug',
    ...options.env,
  };
  const agents: ManagedProcess[] = [];
  const apiAs =
    (sub: string): Api =>
    async <Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const token = await issuer.token({ sub, claims: { email: `${sub}@example.test`, email_verified: true } });
      const all = { authorization: `Bearer ${token}`, ...headers };
      return (await callApi(baseUrl + path, method, body, all)) as ApiResponse<Body>;
    };

  const product: Product = {
    dataDir,
    baseUrl,
    grpcPort,
    metricsPort,
    issuer,
    controlPlane: undefined as unknown as ManagedProcess,
    api: apiAs('user-1'),
    apiAs,
    async startControlPlane() {
      const controlPlane = startProcess({ args: [entry], env, logFile: join(dataDir, 'control-plane.log') });
      product.controlPlane = controlPlane;
      await eventually(
        'the control plane is healthy',
        async () => {
          if (!controlPlane.running) throw new Error(`it ended: ${controlPlane.output().slice(-2_000)}`);
          const answer = await fetch(`${baseUrl}/health/live`, { signal: AbortSignal.timeout(30_000) });
          // It listens for agents last.
          return answer.ok && (await isListening(grpcPort)) ? true : undefined;
        },
        300_000,
      );
    },
    async admin(...args) {
      if (!options.hasOwnDatabase) return runAdminCommand(args, env);
      const { stdout } = await run(process.execPath, [ADMIN, ...args], {
        env: { PATH: process.env['PATH'], ...env },
      });
      return stdout;
    },
    async createAgent(region, name) {
      return JSON.parse(await product.admin('agents', 'create', '--region', region, '--name', name, '--json')) as {
        agentId: string;
        token: string;
      };
    },
    startAgent({ name, token, grpcPort: through, env: more = {} }) {
      const agent = startProcess({
        args: [programIn('agent')],
        env: {
          CONTROL_PLANE_URL: `http://127.0.0.1:${through ?? grpcPort}`,
          AGENT_TOKEN: token,
          DATA_DIR: join(dataDir, `agent-${name}`),
          METRICS_PORT: '0',
          PROBE_ALLOW_CIDRS: env.PROBE_ALLOW_CIDRS,
          LOG_LEVEL: 'debug',
          ...more,
        },
        logFile: join(dataDir, `agent-${name}.log`),
      });
      agents.push(agent);
      return agent;
    },
    async stop() {
      const processes = [...agents, product.controlPlane].filter((process) => process?.running);
      for (const process of processes) process.kill('SIGTERM');
      await Promise.all(processes.map((process) => process.ended(180_000)));
      await Promise.all([issuer.stop(), database?.drop()]);
      if (!process.env['KEEP_TEST_DATA']) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await product.startControlPlane();
  } catch (error) {
    product.controlPlane.kill('SIGKILL');
    await Promise.all([issuer.stop(), database?.drop()]);
    throw error;
  }
  return product;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
