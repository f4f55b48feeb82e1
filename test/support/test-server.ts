import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { lstat, mkdir, readFile, rm, statfs } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { clusterPaths } from '@watchpost/control-plane/embedded/postgres/cluster-paths';
import { readEmbeddedUrl } from '@watchpost/control-plane/embedded/postgres/index';

/** A PostgreSQL for test databases. */
export interface TestServer {
  readonly url: string;
  /** Where it writes its log; undefined for one of another machine. */
  readonly logFile: string | undefined;
  /** Resolves when the server has stopped, or is left to its other users. */
  release(): Promise<void>;
}

const KEEPER = fileURLToPath(new URL('keep-test-server.js', import.meta.url));
const START_DEADLINE_MS = 90_000;
const MEMORY_FOLDER = '/dev/shm';
/** Several times what the databases of a whole run take. */
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3;
const POLL_MS = 50;

let server: Promise<TestServer> | undefined;

/**
 * The server of `TEST_DATABASE_URL`, which `npm test` sets, or one that the processes of this checkout share. The
 * shared one stops with the last process that uses it, however that process ends.
 */
export function useTestServer(): Promise<TestServer> {
  const url = process.env['TEST_DATABASE_URL'];
  const logFile = process.env['TEST_DATABASE_LOG'];
  server ??= url ? Promise.resolve({ url, logFile, release: () => Promise.resolve() }) : shareServer();
  return server;
}

export async function testServerUrl(): Promise<string> {
  return (await useTestServer()).url;
}

/**
 * The socket that each user of the server in `dataDir` holds open. The kernel closes it when the user ends, also by
 * SIGKILL. On Linux its name is an abstract one (unix(7)), which cannot outlive the keeper.
 */
export function usersAddress(dataDir: string): string {
  return process.platform === 'linux' ? `\0${dataDir}` : join(dataDir, 'users.sock');
}

async function shareServer(): Promise<TestServer> {
  const dataDir = await makeDataDir();
  const keeperLog = join(dataDir, 'keeper.log');
  const deadline = Date.now() + START_DEADLINE_MS;
  let keeper: ChildProcess | undefined;
  while (Date.now() < deadline) {
    const answer = await connectAsUser(usersAddress(dataDir));
    if (typeof answer !== 'string') {
      const url = await readEmbeddedUrl(dataDir);
      if (url !== undefined) return { url, logFile: clusterPaths(dataDir).log, release: () => release(answer) };
      answer.destroy();
    } else if (answer === 'absent' && (keeper === undefined || keeper.exitCode !== null)) {
      keeper = await startKeeper(dataDir, keeperLog);
    }
    await sleep(POLL_MS);
  }
  throw new Error(`The test server did not start: ${await readFile(keeperLog, 'utf8').catch(String)}`);
}

/** It is kept, so that the next start is fast. */
async function makeDataDir(): Promise<string> {
  const checkout = createHash('sha256').update(KEEPER).digest('hex').slice(0, 8);
  const uid = process.getuid?.() ?? 0;
  const dataDir = join(await fastTemporaryFolder(), `watchpost-test-${uid}-${checkout}`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if ((await lstat(dataDir)).uid !== uid) throw new Error(`${dataDir} belongs to another account`);
  return dataDir;
}

/**
 * Memory where there is plenty: a database is a thousand files, and an ext4 that has just deleted as many takes most
 * of the processor time of a run to make new ones. A `TMPDIR` that is set wins.
 */
export async function fastTemporaryFolder(): Promise<string> {
  if (process.env['TMPDIR']) return tmpdir();
  const memory = await statfs(MEMORY_FOLDER).catch(() => undefined);
  return memory && memory.bavail * memory.bsize >= MEMORY_NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
}

/** @returns the socket once the server is ready; `absent` without a keeper, `closed` where it is about to end */
async function connectAsUser(address: string): Promise<Socket | 'absent' | 'closed'> {
  const user = connect(address);
  const outcome = await new Promise<'ready' | 'absent' | 'closed'>((resolve) => {
    user.once('data', () => resolve('ready'));
    user.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' || code === 'ENOENT' ? 'absent' : 'closed'),
    );
    user.once('close', () => resolve('closed'));
  });
  if (outcome !== 'ready') return outcome;
  user.on('error', () => {});
  return user.resume().unref();
}

/** The keeper is no member of this process group: Ctrl-C ends the tests, and their end stops the server. */
async function startKeeper(dataDir: string, logFile: string): Promise<ChildProcess> {
  if (process.platform !== 'linux') await rm(usersAddress(dataDir), { force: true });
  const log = openSync(logFile, 'w', 0o600);
  const env = { ...process.env, NODE_OPTIONS: '' };
  const keeper = spawn(process.execPath, [KEEPER, dataDir], { detached: true, env, stdio: ['ignore', log, log] });
  keeper.unref();
  return keeper;
}

async function release(user: Socket): Promise<void> {
  if (user.closed) return;
  user.ref().end();
  await once(user, 'close');
}
