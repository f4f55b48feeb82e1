import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, PATIENCE_MS } from './eventually.js';
import { programIn, startProcess, type ManagedProcess } from './managed-process.js';

/** A data folder and the real agent processes that work on it, one after another. */
export class AgentHome {
  readonly folder: string;
  private readonly processes: ManagedProcess[] = [];

  constructor(
    private readonly env: Readonly<Record<string, string>>,
    folder?: string,
    /** The program, where it is not the one of this version. */
    private readonly entry: string = programIn('agent'),
  ) {
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'watchpost-agent-'));
  }

  start(more: Readonly<Record<string, string>> = {}): ManagedProcess {
    const started = startProcess({
      args: [this.entry],
      env: {
        AGENT_TOKEN: 'wpa_test',
        PROBE_ALLOW_CIDRS: '127.0.0.0/8',
        METRICS_PORT: '0',
        LOG_LEVEL: 'debug',
        DATA_DIR: this.folder,
        ...this.env,
        ...more,
      },
      logFile: join(
        tmpdir(),
        `watchpost-agent-${process.pid}`,
        `${this.folder.split('/').at(-1)}-${this.processes.length}.log`,
      ),
    });
    this.processes.push(started);
    return started;
  }

  /** What a process of this folder serves on its own port. */
  async ask(agent: ManagedProcess, path: string): Promise<Response> {
    const port = await eventually('the agent serves', () => /"port":(\d+)/.exec(agent.output())?.[1], PATIENCE_MS, 20);
    return fetch(`http://127.0.0.1:${port}${path}`);
  }

  async dispose(): Promise<void> {
    for (const one of this.processes) if (one.running) one.kill('SIGKILL');
    await Promise.all(this.processes.map((one) => one.ended()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
