import { access, constants, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { clusterPaths, urlOf } from './cluster-paths.js';
import { ensureDatabase } from './connect.js';
import { initCluster } from './init-cluster.js';
import { nativeFolder } from './native-folder.js';
import { ensurePostmaster } from './postmaster.js';
import { readLock } from './postmaster-lock.js';
import { identityFor } from './run-as.js';
import { supervise } from './supervise.js';
import { claimSupervision, releaseSupervision } from './supervisor-record.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-state.js';

/** Signals of the postmaster and how long each is given, ms: fast, then immediate shutdown, then none at all. */
const STEPS: readonly [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 2_000],
];

const POLL_MS = 10;

export interface EmbeddedPostgresOptions {
  /** The server lives in its folder `postgres`. */
  dataDir: string;
  logger: Logger;
  /** Server parameters beside the defaults, for one that is started now. */
  settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** Good for as long as this object is: the port stays when the server is started again. */
  readonly url: string;
  /** Whether it was running already: left behind by a killed process, or looked after by another one. */
  readonly adopted: boolean;
  /** Ends the supervision, and the server too unless another living process looks after it. */
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL server for one machine, made, started and kept running: when it dies it is started again on
 * the same port. It outlives a killed parent, and the next start finds it.
 * @throws Error with what to do, when it cannot be created or started
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { logger } = options;
  const dataDir = resolve(options.dataDir);
  const paths = clusterPaths(dataDir);
  const startedMs = performance.now();
  // As root the server runs under another account, which may walk through, and look at nothing.
  await makeWritable(dataDir, process.geteuid?.() === 0 ? 0o711 : 0o700);
  const identity = await identityFor(paths.data);
  const native = await nativeFolder(identity, join(dataDir, 'postgres-programs'));
  const made = await initCluster(dataDir, native, identity);

  const stopping = new AbortController();
  const launch = { paths, native, identity, settings: options.settings ?? {}, signal: stopping.signal };
  const postmaster = await ensurePostmaster({ ...launch, port: undefined });
  await ensureDatabase(paths, postmaster.port);
  const owner = await claimSupervision(paths);
  const adopted = postmaster.child === undefined;
  const durationMs = Math.round(performance.now() - startedMs);
  logger.info(
    { postgresPid: postmaster.pid, port: postmaster.port, made, adopted, owner, durationMs },
    'embedded database is ready',
  );

  const supervision = supervise({
    postmaster,
    restart: async () => {
      const next = await ensurePostmaster({ ...launch, port: postmaster.port });
      await claimSupervision(paths);
      return next;
    },
    // The process that looks after the server goes first.
    patienceMs: () => (owner ? 0 : 1_500),
    logger,
    signal: stopping.signal,
  });

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    await supervision;
    if (!(await releaseSupervision(paths))) return;
    const lock = await readLock(paths);
    if (lock?.alive) await stopPostmaster(lock.pid);
    logger.info('embedded database has stopped');
  };
  return {
    url: urlOf(await readFile(paths.password, 'utf8'), postmaster.port),
    adopted,
    stop: () => (stopped ??= stop()),
  };
}

/** @returns the address of the server that runs under `dataDir`, or undefined when none does */
export async function readEmbeddedUrl(dataDir: string): Promise<string | undefined> {
  const paths = clusterPaths(resolve(dataDir));
  const lock = await readLock(paths);
  if (!lock?.alive || lock.port === undefined) return undefined;
  return urlOf(await readFile(paths.password, 'utf8'), lock.port);
}

/** The system reports "no such file" for a folder on a read-only disk: the error names the setting instead. */
async function makeWritable(dataDir: string, mode: number): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR ${dataDir} cannot be used (${code}): it takes a folder that this process may write to.`, {
      cause: error,
    });
  }
}

/** Stops the server: open transactions are rolled back and everything is written out, unless that takes too long. */
async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, patienceMs] of STEPS) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      if (!(await isRunning(pid, 'postgres'))) return;
      await sleep(POLL_MS);
    }
  }
}
