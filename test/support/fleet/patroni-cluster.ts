import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { identityFor } from '@watchpost/control-plane/embedded/postgres/run-as';
import { eventually } from '../eventually.js';
import { installedPostgres } from './postgres-pair.js';

const FILES = fileURLToPath(new URL('../../../../deploy/high-availability/', import.meta.url));
const NAMES = ['pg1', 'pg2', 'pg3'] as const;
const FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin', ...(process.env['PATH'] ?? '').split(':')];
const DATABASE_PORT = 5432;
const PROXY_PORT = 5000;

export type NodeName = (typeof NAMES)[number];

/** The path of a program that is installed on this machine; undefined where there is none. */
export function installedProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** @returns what this machine lacks for a cluster; empty where it can have one */
export function missingForPatroni(): string[] {
  if (process.platform !== 'linux') return ['Linux'];
  const missing = ['patroni', 'etcd', 'haproxy'].filter((name) => !installedProgram(name));
  return installedPostgres() === undefined ? [...missing, 'postgresql'] : missing;
}

/**
 * Three machines of the guide on high availability, from the files in `deploy/high-availability`, and the proxy on the
 * machine of a control plane. A machine is an address on loopback and a folder in which all of its processes work, by
 * which they are found.
 */
export class PatroniCluster {
  private readonly network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  private readonly passwords = [0, 1, 2].map(() => randomBytes(12).toString('hex'));
  private spawnAs: { uid: number; gid: number } | undefined;
  private readonly onExit = () => this.signalIn(this.dataDir, 'SIGKILL');

  constructor(private readonly dataDir: string) {}

  /** By the proxy. */
  get url(): string {
    return this.urlOf(`${this.addressOf('proxy')}:${PROXY_PORT}`);
  }

  /** By the list of all servers. */
  get serversUrl(): string {
    return this.urlOf(NAMES.map((name) => `${this.addressOf(name)}:${DATABASE_PORT}`).join(','));
  }

  get serverUrl(): string {
    return this.url;
  }

  async start(): Promise<void> {
    process.on('exit', this.onExit);
    await chmod(this.dataDir, 0o755);
    ({ spawnAs: this.spawnAs } = await identityFor(join(this.dataDir, 'none')));
    for (const name of NAMES) {
      await this.makeFolder(name);
      for (const file of ['etcd', 'patroni.yml']) await this.write(name, file);
      await this.startNode(name);
    }
    await this.makeFolder('proxy');
    await this.write('proxy', 'haproxy.cfg', 'global\n  maxconn 500\ndefaults\n  log global\n');
    this.run('proxy', 'haproxy', ['-db', '-f', 'haproxy.cfg']);
    const leader = await this.leader();
    await eventually(
      'both standbys follow',
      async () => ((await this.standbys()).length === 2 ? true : undefined),
      180_000,
    );
    await this.sql(leader, `CREATE ROLE watchpost LOGIN PASSWORD '${this.passwords[2]}'`);
    await this.sql(leader, 'CREATE DATABASE watchpost OWNER watchpost');
    await eventually('the proxy knows the leader', () => this.answers(this.url), 180_000);
  }

  /** Starts what is not running of a machine. */
  async startNode(name: NodeName): Promise<void> {
    this.signalNode(name, 'SIGKILL');
    await rm(join(this.dataDir, name, 'database/postmaster.pid'), { force: true });
    const settings = readFileSync(join(this.dataDir, name, 'etcd'), 'utf8').matchAll(/^(ETCD_\w+)=(.*)$/gm);
    const env = Object.fromEntries([...settings].map(([, key, value]) => [key!, value!]));
    this.run(name, 'etcd', [], env);
    this.run(name, 'patroni', ['patroni.yml']);
  }

  /** All processes of a machine: of etcd, Patroni and PostgreSQL. */
  signalNode(name: NodeName, signal: NodeJS.Signals): void {
    this.signalIn(join(this.dataDir, name), signal);
  }

  /** The machine that accepts writes, and its standby whose disk has each commit. */
  async leader(): Promise<NodeName> {
    return await this.memberWith('leader', ({ role }) => role === 'leader');
  }

  async synchronousStandby(): Promise<NodeName> {
    return await this.memberWith('synchronous standby', ({ role }) => role === 'sync_standby');
  }

  /** Resolves when a machine follows the leader again. */
  async follows(name: NodeName): Promise<void> {
    await eventually(
      `${name} follows`,
      async () => ((await this.standbys()).includes(name) ? true : undefined),
      180_000,
      250,
    );
  }

  /** As the superuser, on one machine. Rejects after twenty seconds without an answer. */
  async sql<Row extends pg.QueryResultRow>(name: NodeName, text: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: `postgres://postgres:${this.passwords[0]}@${this.addressOf(name)}:${DATABASE_PORT}/${database}`,
      connectionTimeoutMillis: 20_000,
      query_timeout: 20_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      client.connection.stream.destroy();
    }
  }

  /** Only for the interface of a single server. */
  kill(): Promise<void> {
    return this.stop();
  }

  async stop(): Promise<void> {
    process.off('exit', this.onExit);
    this.signalIn(this.dataDir, 'SIGKILL');
    await eventually('all processes end', () => this.processesIn(this.dataDir).length === 0 || undefined);
    if (!process.env['KEEP_TEST_DATA']) await rm(this.dataDir, { recursive: true, force: true });
  }

  private async memberWith(what: string, matches: (member: Member) => boolean): Promise<NodeName> {
    return await eventually(
      `there is a ${what}`,
      async () => (await this.members()).find((member) => member.state === 'running' && matches(member))?.name,
      180_000,
      100,
    );
  }

  /** Those that stream from the leader. */
  private async standbys(): Promise<string[]> {
    const leader = await this.leader();
    const rows = await this.sql<{ name: string }>(
      leader,
      `SELECT application_name AS name FROM pg_stat_replication WHERE state = 'streaming'`,
    ).catch(() => []);
    return rows.map(({ name }) => name);
  }

  /** As the first machine that answers sees them. */
  private async members(): Promise<Member[]> {
    const answers = NAMES.map(async (name) => {
      const url = `http://${this.addressOf(name)}:8008/cluster`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
      return ((await answer.json()) as { members: Member[] }).members;
    });
    return await Promise.any(answers).catch(() => []);
  }

  private async answers(url: string): Promise<true | undefined> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
    client.on('error', () => {});
    const isUp = await client.connect().then(
      () => true as const,
      () => undefined,
    );
    client.connection.stream.destroy();
    return isUp;
  }

  private addressOf(name: NodeName | 'proxy'): string {
    return `${this.network}.${name === 'proxy' ? 14 : 11 + NAMES.indexOf(name)}`;
  }

  private urlOf(servers: string): string {
    return `postgres://watchpost:${this.passwords[2]}@${servers}/watchpost?target_session_attrs=read-write`;
  }

  private async makeFolder(name: string): Promise<void> {
    const folder = join(this.dataDir, name);
    await mkdir(folder);
    if (this.spawnAs) await chown(folder, this.spawnAs.uid, this.spawnAs.gid);
  }

  /** A file as the guide makes it: with the names and addresses of the machine, and the folders of this test. */
  private async write(name: NodeName | 'proxy', file: string, before = ''): Promise<void> {
    const folder = join(this.dataDir, name);
    const text = readFileSync(join(FILES, file), 'utf8')
      .replaceAll('THIS_NAME', name)
      .replaceAll('THIS_ADDRESS', this.addressOf(name))
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('10.0.0.', `${this.network}.`)
      .replaceAll('127.0.0.1:', `${this.addressOf('proxy')}:`)
      .replace('SUPERUSER_PASSWORD', this.passwords[0]!)
      .replace('REPLICATION_PASSWORD', this.passwords[1]!)
      .replace('/usr/lib/postgresql/15/bin', installedPostgres()!)
      .replace('/var/lib/postgresql/15/watchpost', join(folder, 'database'))
      .replace('/var/lib/postgresql/patroni.pgpass', join(folder, 'pgpass'))
      .replace('/var/lib/etcd/watchpost', join(folder, 'etcd-data'))
      .replace('/var/run/postgresql', folder);
    await writeFile(join(folder, file), before + text);
  }

  private run(name: string, program: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
    const cwd = join(this.dataDir, name);
    const log = openSync(join(cwd, `${program}.log`), 'a');
    const child = spawn(installedProgram(program)!, args, {
      ...this.spawnAs,
      cwd,
      env: { PATH: process.env['PATH'], HOME: cwd, ...env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    return child;
  }

  private signalIn(folder: string, signal: NodeJS.Signals): void {
    for (const pid of this.processesIn(folder)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has just ended.
      }
    }
  }

  private processesIn(folder: string): number[] {
    const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
    return pids.map(Number).filter((pid) => {
      try {
        const cwd = readlinkSync(`/proc/${pid}/cwd`);
        return cwd === folder || cwd.startsWith(`${folder}/`);
      } catch {
        return false;
      }
    });
  }
}

interface Member {
  name: NodeName;
  role: string;
  state: string;
}
