import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Region } from '@watchpost/shared/region';
import { programIn, startProcess, type ManagedProcess } from '../managed-process.js';
import type { Json } from '../product.js';
import { movableClock } from './movable-clock.js';

const PLACE = new URL('./place-agent.js', import.meta.url).href;

export interface FleetAgentOptions {
  name: string;
  region: Region;
  /** Its address on loopback, by which the site identifies it. */
  address: string;
  token: string;
  folder: string;
  controlPlanePort: number;
  metricsPort: number;
  targetPorts: readonly number[];
  /** The folder of the version that `start` runs. */
  root: string;
  env?: Readonly<Record<string, string>>;
}

/** An agent process with its own folder, address and wall clock. */
export class FleetAgent {
  process!: ManagedProcess;

  constructor(private readonly options: FleetAgentOptions) {}

  /** Runs another version from the next start on. */
  set root(root: string) {
    this.options.root = root;
  }
  get name(): string {
    return this.options.name;
  }
  get region(): Region {
    return this.options.region;
  }
  get address(): string {
    return this.options.address;
  }
  get spoolFolder(): string {
    return join(this.options.folder, 'spool');
  }

  /** @param clockOffMs how far its machine's wall clock is ahead */
  start(clockOffMs = 0): void {
    const { root, token, folder, controlPlanePort, metricsPort, targetPorts, address, env } = this.options;
    this.process = startProcess({
      args: ['--import', PLACE, programIn('agent', root)],
      env: {
        CONTROL_PLANE_URL: `http://127.0.0.1:${controlPlanePort}`,
        AGENT_TOKEN: token,
        DATA_DIR: folder,
        METRICS_PORT: String(metricsPort),
        PROBE_ALLOW_CIDRS: '127.0.0.0/8',
        LOG_LEVEL: 'info',
        CHECKED_PORTS: targetPorts.join(','),
        OWN_ADDRESS: address,
        ...movableClock({ offMs: clockOffMs }),
        ...env,
      },
      logFile: `${folder}.log`,
    });
  }

  /** Makes its disk full, or writable again. */
  fillDisk(isFull: boolean): void {
    execFileSync('prlimit', ['--pid', String(this.process.pid), `--fsize=${isFull ? '0' : 'unlimited'}:unlimited`]);
  }

  async health(): Promise<{ connected: boolean; checks: number; spoolDepth: number }> {
    return (await this.ask('/health')).json() as Promise<Json>;
  }

  async isConnected(): Promise<boolean> {
    return await this.health().then(
      ({ connected }) => connected,
      () => false,
    );
  }

  /** Reads a counter or gauge as the sum over its labels. */
  async metric(name: string): Promise<number> {
    const text = await (await this.ask('/metrics')).text();
    const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
    return values.reduce((sum, [, value]) => sum + Number(value), 0);
  }

  private async ask(path: string): Promise<Response> {
    return await fetch(`http://127.0.0.1:${this.options.metricsPort}${path}`, { signal: AbortSignal.timeout(10_000) });
  }
}
