import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterPaths } from './cluster-paths.js';
import { answers } from './connect.js';
import { disarmStaleLock, readLock } from './postmaster-lock.js';
import { dataFolderArgument, PROGRAM_ENVIRONMENT } from './program.js';
import type { Identity } from './run-as.js';
import { createServer } from 'node:net';

/** A server that answers. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Undefined for one that somebody else started. */
  child: ChildProcess | undefined;
}

export interface PostmasterOptions {
  paths: ClusterPaths;
  native: string;
  identity: Identity;
  /** Server parameters beside our own. */
  settings: Readonly<Record<string, string>>;
  /** Insist on this one: clients already know it. */
  port: number | undefined;
  /** Given up when aborted. */
  signal: AbortSignal;
}

const START_DEADLINE_MS = 60_000;
const POLL_MS = 10;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Finds the cluster's server, one left behind by a killed process too, or starts it. Any number of processes may
 * do this at once: PostgreSQL's lock file lets one of their servers live, and the others find it.
 */
export async function ensurePostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { paths, signal } = options;
  const deadline = performance.now() + START_DEADLINE_MS;
  let failure = 'it did not answer in time';
  while (performance.now() < deadline && !signal.aborted) {
    const lock = await readLock(paths);
    if (lock?.alive) {
      if (lock.status === 'ready' && lock.port !== undefined && (await answers(paths, lock.port))) {
        return { pid: lock.pid, port: lock.port, child: undefined };
      }
      await sleep(POLL_MS * 5);
      continue;
    }
    if (lock !== undefined) await disarmStaleLock(paths);
    const outcome = await launch(options, deadline);
    if (typeof outcome !== 'string') return outcome;
    failure = outcome;
    // Another process's start may have won, or the dead server's backends may still be leaving: look again.
    if (!/lock file ".*" already exists|still in use|could not bind|being shut down|removed/.test(outcome)) break;
    await sleep(100);
  }
  signal.throwIfAborted();
  throw new Error(`The embedded PostgreSQL did not start: ${failure}\nIts log is ${paths.log}`);
}

/** @returns the server, or its log when it ended */
async function launch(options: PostmasterOptions, deadline: number): Promise<Postmaster | string> {
  const { paths, identity, native } = options;
  const remembered = Number(await readFile(paths.port, 'utf8').catch(() => ''));
  const port = options.port ?? (await freePort(remembered > 0 ? remembered : undefined));
  const logSize = await rotateLog(paths.log);
  const log = await open(paths.log, 'a', 0o600);
  try {
    const child = spawn(join(native, 'bin', 'postgres'), serverArguments(options, port), {
      cwd: paths.data,
      env: PROGRAM_ENVIRONMENT,
      // A group of its own: Ctrl-C in the terminal must not stop the database before what drains into it.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      ...identity.spawnAs,
    });
    child.unref();
    const end: { reason?: string } = {};
    child.once('error', (error) => (end.reason = error.message));
    child.once('exit', (code, by) => (end.reason = `it ended with ${by ?? `status ${code}`}`));
    while (end.reason === undefined && performance.now() < deadline) {
      const lock = await readLock(paths);
      if (lock !== undefined && lock.pid === child.pid && lock.status === 'ready' && (await answers(paths, port))) {
        await writeFile(paths.port, String(port), { mode: 0o600 });
        return { pid: lock.pid, port, child };
      }
      await sleep(POLL_MS);
    }
    if (end.reason === undefined) child.kill('SIGKILL');
    const output = (await readFile(paths.log, 'utf8')).slice(logSize);
    return `${end.reason ?? 'it did not answer in time'}; ${output.trim().slice(-2_000)}`;
  } finally {
    await log.close();
  }
}

function serverArguments(options: PostmasterOptions, port: number): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // A path in a deep folder is longer than a socket's may be (107 bytes).
    unix_socket_directories: '',
    max_connections: '200',
    fsync: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataFolderArgument(options.paths, options.identity), ...flags];
}

/** @returns the size from which this start's own lines follow */
async function rotateLog(path: string): Promise<number> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size < LOG_LIMIT_BYTES) return size;
  await rename(path, `${path}.1`);
  return 0;
}

/**
 * Below every system's range for outgoing connections (Linux from 32768, others from 49152): while the server is
 * away for a moment no probe's socket can take its port.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const ATTEMPTS = 200;

/** @returns `preferred` where it is free, else a free port of the range at random */
async function freePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port for PostgreSQL on 127.0.0.1 between ${LOWEST} and ${HIGHEST}.`);
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
