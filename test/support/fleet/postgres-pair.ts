import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { identityFor } from '@watchpost/control-plane/embedded/postgres/run-as';
import { eventually } from '../eventually.js';
import { freePort } from '../free-port.js';

const DEBIAN = '/usr/lib/postgresql';

/** The programs of a PostgreSQL that is installed on this machine; undefined where there is none. */
export function installedPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(DEBIAN, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

interface Server {
  folder: string;
  port: number;
  process?: ChildProcess;
}

/** How a server is stopped: by the signals of its shutdown modes, or killed. */
export type StopMode = 'fast' | 'immediate' | 'kill';
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

/** Killed when the tests end, however they end. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) {
    child.kill('SIGCONT');
    child.kill('SIGQUIT');
  }
});

/** A primary and its asynchronous standby, which replaces it at the test's command. */
export class PostgresPair {
  private readonly servers: Server[] = [];
  private primary = 0;
  private spawnAs: { uid: number; gid: number } | undefined;
  url = '';

  constructor(
    private readonly dataDir: string,
    private readonly bin: string,
  ) {}

  get ports(): number[] {
    return this.servers.map(({ port }) => port);
  }

  /** The URL of the present primary alone. */
  get serverUrl(): string {
    return this.urlOf(this.primary);
  }

  async start(): Promise<void> {
    await mkdir(this.dataDir, { recursive: true, mode: 0o755 });
    for (const name of ['a', 'b']) this.servers.push({ folder: join(this.dataDir, name), port: await freePort() });
    const [a, b] = this.servers as [Server, Server];
    const { spawnAs } = await identityFor(join(this.dataDir, 'none'));
    this.spawnAs = spawnAs;
    if (spawnAs) await chown(this.dataDir, spawnAs.uid, spawnAs.gid);
    const made = spawnSync(join(this.bin, 'initdb'), ['-D', a.folder, '-U', 'watchpost', '--auth=trust'], {
      ...spawnAs,
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
    await appendFile(
      join(a.folder, 'postgresql.conf'),
      `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nwal_keep_size = '256MB'\nhot_standby = on\n`,
    );
    // The standby is a copy of the stopped primary, which needs no further program.
    const copy = spawnSync('cp', ['-a', a.folder, b.folder], { encoding: 'utf8' });
    if (copy.status !== 0) throw new Error(copy.stderr);
    await writeFile(join(b.folder, 'standby.signal'), '');
    await appendFile(
      join(b.folder, 'postgresql.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${a.port} user=watchpost'\n`,
    );
    if (spawnAs) await chown(join(b.folder, 'standby.signal'), spawnAs.uid, spawnAs.gid);
    for (const index of this.servers.keys()) await this.run(index);
    this.url = `postgres://watchpost@127.0.0.1:${a.port},127.0.0.1:${b.port}/postgres?target_session_attrs=read-write`;
    await this.followed();
  }

  private async followed(): Promise<void> {
    await eventually(
      'the standby follows',
      async () => {
        const [row] = await this.sql<{ count: number }>(this.primary, 'SELECT count(*)::int FROM pg_stat_replication');
        return row!.count === 1 || undefined;
      },
      90_000,
    );
  }

  /** From now on the standby receives nothing: what is committed is lost when it replaces the primary. */
  async cutReplication(): Promise<void> {
    await this.sql(this.standby, `ALTER SYSTEM SET primary_conninfo = ''`);
    await this.sql(this.standby, 'SELECT pg_reload_conf()');
    await eventually(
      'the standby receives nothing',
      async () => {
        const [row] = await this.sql<{ count: number }>(this.standby, 'SELECT count(*)::int FROM pg_stat_wal_receiver');
        return row!.count === 0 || undefined;
      },
      90_000,
    );
  }

  /** Pauses all processes of the primary: its connections stay open, and nothing answers. */
  freezePrimary(): void {
    this.signal(this.primary, 'SIGSTOP');
  }

  async stopPrimary(mode: StopMode): Promise<void> {
    await this.end(this.primary, mode);
  }

  async startPrimary(): Promise<void> {
    await this.run(this.primary);
  }

  /** Lets the former primary run again: it still accepts writes. */
  thawFormerPrimary(): void {
    this.signal(this.standby, 'SIGCONT');
  }

  async promoteStandby(): Promise<void> {
    await this.sql(this.standby, 'SELECT pg_promote()');
    this.primary = this.standby;
  }

  /** Replaces the former primary by a new copy of the present one, which follows it. */
  async rebuildStandby(): Promise<void> {
    const { folder } = this.servers[this.standby]!;
    await this.end(this.standby, 'kill');
    await rm(folder, { recursive: true, force: true });
    const primary = ['-h', '127.0.0.1', '-p', String(this.servers[this.primary]!.port), '-U', 'watchpost'];
    const copy = ['-D', folder, '--write-recovery-conf', '--checkpoint=fast', '--wal-method=stream'];
    const program = join(this.bin, 'pg_basebackup');
    await promisify(execFile)(program, [...primary, ...copy], { ...this.spawnAs, cwd: this.dataDir });
    await this.run(this.standby);
    await this.followed();
  }

  /** Only for the interface of a single server. */
  kill(): Promise<void> {
    return this.stop();
  }

  async stop(): Promise<void> {
    for (const index of this.servers.keys()) await this.end(index, 'immediate');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private get standby(): number {
    return 1 - this.primary;
  }

  private async end(index: number, mode: StopMode): Promise<void> {
    const server = this.servers[index]?.process;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    this.signal(index, 'SIGCONT');
    server.kill(STOP_SIGNALS[mode]);
    await ended;
  }

  private signal(index: number, signal: NodeJS.Signals): void {
    const server = this.servers[index]?.process;
    const pid = server?.pid;
    if (pid === undefined || server?.exitCode !== null || server.signalCode !== null) return;
    for (const one of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(one, signal);
      } catch {
        // It has just ended.
      }
    }
  }

  private async run(index: number): Promise<void> {
    const server = this.servers[index]!;
    const log = openSync(`${server.folder}.log`, 'a');
    const child = spawn(join(this.bin, 'postgres'), ['-D', server.folder, '-p', String(server.port)], {
      ...this.spawnAs,
      cwd: server.folder,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    server.process = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    await eventually(
      `server ${index} accepts connections`,
      () =>
        this.sql(index, 'SELECT 1').then(
          () => true as const,
          () => undefined,
        ),
      90_000,
    );
  }

  private urlOf(index: number): string {
    return `postgres://watchpost@127.0.0.1:${this.servers[index]!.port}/postgres`;
  }

  private async sql<Row extends pg.QueryResultRow>(index: number, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.urlOf(index), connectionTimeoutMillis: 30_000 });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}
