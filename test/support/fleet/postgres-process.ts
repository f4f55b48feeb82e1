import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.js';
import { startProcess, type ManagedProcess } from '../managed-process.js';

const HOLDER = fileURLToPath(new URL('../hold-embedded-postgres.js', import.meta.url));

/** A PostgreSQL process that is killed with -9 and restarted on the same data and port. */
export class PostgresProcess {
  private holder: ManagedProcess | undefined;
  private starts = 0;
  url = '';

  get serverUrl(): string {
    return this.url;
  }

  constructor(private readonly dataDir: string) {}

  async start(): Promise<void> {
    const logFile = join(this.dataDir, `postgres-${++this.starts}.log`);
    const holder = startProcess({ args: [HOLDER, this.dataDir], env: {}, logFile });
    this.holder = holder;
    const line = await eventually('PostgreSQL is ready', () => /^\{.*\}$/m.exec(holder.output())?.[0], 90_000, 20);
    this.url = (JSON.parse(line) as { url: string }).url;
  }

  /** Kills the supervisor first, which would restart it at once. */
  async kill(): Promise<void> {
    this.holder?.kill('SIGKILL');
    await this.holder?.ended();
    const lock = await readFile(join(this.dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(lock.split('\n')[0]);
    if (pid > 0) process.kill(pid, 'SIGKILL');
  }

  async stop(): Promise<void> {
    if (!this.holder?.running) return;
    this.holder.kill('SIGTERM');
    await this.holder.ended(30_000);
  }
}
