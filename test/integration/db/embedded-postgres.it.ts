import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import pino from 'pino';
import {
  readEmbeddedUrl,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '@watchpost/control-plane/embedded/postgres/index';
import { fastTemporaryFolder } from '../../support/test-server.js';

const HOLDER = fileURLToPath(new URL('../../support/hold-embedded-postgres.js', import.meta.url));
const logger = pino({ level: 'silent' });

describe('embedded PostgreSQL', function () {
  let dataDir: string;
  const servers: EmbeddedPostgres[] = [];
  const holders: ChildProcess[] = [];

  /** A folder with a server that has run once: most tests begin with a copy, which is faster than a new one. */
  let prepared: string;

  before(async () => {
    prepared = await mkdtemp(join(await fastTemporaryFolder(), 'watchpost-embedded-'));
    await (await startEmbeddedPostgres({ dataDir: prepared, logger })).stop();
  });
  after(() => rm(prepared, { recursive: true, force: true }));
  beforeEach(async () => {
    dataDir = await mkdtemp(join(await fastTemporaryFolder(), 'watchpost-embedded-'));
    await promisify(execFile)('cp', ['-a', join(prepared, 'postgres'), dataDir]);
  });
  afterEach(async () => {
    for (const holder of holders.splice(0)) holder.kill('SIGKILL');
    for (const server of servers.splice(0)) await server.stop();
    // Whatever a failed test left behind is adopted, and so stopped.
    if (await readEmbeddedUrl(dataDir)) await (await start()).stop();
    servers.length = 0;
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir, logger });
    servers.push(server);
    return server;
  }

  async function removeServer(): Promise<void> {
    await rm(join(dataDir, 'postgres'), { recursive: true });
  }

  async function hold(): Promise<{ child: ChildProcess; url: string; adopted: boolean }> {
    const child = spawn(process.execPath, [HOLDER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    holders.push(child);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, ...(JSON.parse(line) as { url: string; adopted: boolean }) };
  }

  async function postmasterPid(): Promise<number> {
    return Number((await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  }

  it('keeps data over restarts, at the same address', async () => {
    await removeServer();
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(await readEmbeddedUrl(dataDir)).to.equal(undefined);
    const second = await start();
    expect(second.url).to.equal(first.url);
    expect(await query(second.url, 'SELECT answer FROM kept')).to.deep.equal([{ answer: 42 }]);
  });

  it('survives a power loss: what is committed is on the disk', async () => {
    const { url } = await start();
    const names = ['fsync', 'full_page_writes', 'synchronous_commit'];
    for (const name of names) expect(await query(url, `SHOW ${name}`)).to.deep.equal([{ [name]: 'on' }]);
  });

  it('takes nobody without its password, and shows that to nobody', async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = 'guess';
    const refused = await query(wrong.href, 'SELECT 1').catch((error: Error) => error.message);
    expect(refused).to.contain('password authentication failed');
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o077).to.equal(0);
  });

  it('makes its folder so that nobody else looks into it', async () => {
    await rm(dataDir, { recursive: true });
    await start();
    expect((await stat(dataDir)).mode & 0o066).to.equal(0);
  });

  it('names the wrong setting when its folder cannot be created or written to', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    for (const unusable of [file, join(file, 'below')]) {
      const refusal = await startEmbeddedPostgres({ dataDir: unusable, logger }).then(() => 'started', String);
      expect(refusal).to.include(`DATA_DIR ${unusable} cannot be used`);
    }
  });

  it('is found again after a kill -9 of the process that started it', async () => {
    const { child, url } = await hold();
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS one');
    const pid = await postmasterPid();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const next = await start();
    expect(next.adopted).to.equal(true);
    expect(next.url).to.equal(url);
    expect(await postmasterPid()).to.equal(pid);
    await next.stop();
    expect(await readEmbeddedUrl(dataDir), 'the one who adopts it stops it').to.equal(undefined);
  });

  it('is started again at the same address when it is killed', async () => {
    const { url } = await start();
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS one');
    process.kill(await postmasterPid(), 'SIGKILL');
    expect(await eventually(() => query(url, 'SELECT one FROM kept'))).to.deep.equal([{ one: 1 }]);
  });

  it('is started again when an adopted one is killed', async () => {
    const { child, url } = await hold();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await start();
    const pid = await postmasterPid();
    process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      if ((await postmasterPid()) === pid) throw new Error('not yet');
      return query(url, 'SELECT 1');
    });
  });

  it('is one server for several processes that start together', async () => {
    await removeServer();
    const started = await Promise.all([hold(), hold(), hold()]);
    expect(new Set(started.map(({ url }) => url)).size).to.equal(1);
    expect(started.filter(({ adopted }) => !adopted).length).to.equal(1);
  });

  it('is left alone by a command that runs beside the one who looks after it', async () => {
    const { url } = await hold();
    const guest = await start();
    expect(guest.url).to.equal(url);
    await guest.stop();
    expect(await readEmbeddedUrl(dataDir)).to.equal(url);
    expect(await query(url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });

  it('stops with the process that looks after it', async () => {
    const { child } = await hold();
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(await readEmbeddedUrl(dataDir)).to.equal(undefined);
  });

  it('is no member of our process group, so Ctrl-C stops it last', async () => {
    await start();
    const group = async (pid: number | string) =>
      (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[2];
    expect(await group(await postmasterPid())).to.not.equal(await group('self'));
  });

  it('starts although the number in an old lock file is that of another living process', async () => {
    const { url } = await leaveLockFile(process.pid);
    expect(await query((await start()).url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    expect(await readEmbeddedUrl(dataDir)).to.equal(url);
  });

  it('starts although the old server is a zombie that nobody reaps', async () => {
    // The shell becomes a program that never waits for the child that it had as a shell.
    const careless = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
    holders.push(careless);
    const [pid] = (await once(createInterface({ input: careless.stdout }), 'line')) as [string];
    await leaveLockFile(Number(pid));
    expect(await query((await start()).url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });

  it('is run by another account when we are root, also under a folder closed to it', async function () {
    if (process.getuid?.() !== 0) return this.skip();
    await removeServer();
    await chmod(dataDir, 0o700);
    await start();
    expect((await stat(`/proc/${await postmasterPid()}`)).uid).to.not.equal(0);
  });

  async function leaveLockFile(pid: number): Promise<{ url: string }> {
    const server = await start();
    const lockFile = join(dataDir, 'postgres', 'data', 'postmaster.pid');
    const lock = await readFile(lockFile, 'utf8');
    const owner = await stat(lockFile);
    await server.stop();
    await writeFile(lockFile, lock.replace(/^\d+/, String(pid)), { mode: 0o600 });
    if (process.getuid?.() === 0) await chown(lockFile, owner.uid, owner.gid);
    return { url: server.url };
  }
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
