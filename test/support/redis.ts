import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, PATIENCE_MS } from './eventually.js';
import { freePort } from './free-port.js';

/** A separate Redis for a test, on loopback and without persistence. */
export interface TestRedis {
  readonly url: string;
  /** Kills it with SIGKILL, which breaks its connections. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  /** Stops it with SIGSTOP. Its connections stay open without answers. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const UNPACKED = fileURLToPath(new URL('../../../node_modules/.cache/redis/redis-server', import.meta.url));

/** The program on the path, or the one that `npm test` unpacked. */
export function redisServerProgram(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders.map((folder) => join(folder, 'redis-server')), UNPACKED].find(isExecutable);
}

/** For suites that need Redis: skips them on a machine without it. */
export function needRedis(context: Mocha.Context): void {
  if (redisServerProgram() === undefined) context.skip();
}

export async function startTestRedis(): Promise<TestRedis> {
  const program = redisServerProgram();
  if (program === undefined) throw new Error('there is no redis-server on this machine');
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
      const started = spawn(program, args, { stdio: 'ignore' });
      child = started;
      running.add(started);
      started.once('exit', () => running.delete(started));
      await eventually('Redis answers', () => answers(port), PATIENCE_MS, 20);
    },
    async kill() {
      const ended = child && child.exitCode === null && child.signalCode === null;
      const exit = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill('SIGKILL');
      if (ended) await exit;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async stop() {
      await redis.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await redis.start();
  return redis;
}

async function answers(port: number): Promise<true | undefined> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.once('data', (data) => {
      resolve(data.toString().startsWith('+PONG') ? true : undefined);
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(undefined));
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
