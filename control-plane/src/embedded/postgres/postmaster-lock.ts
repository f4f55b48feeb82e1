import { readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import type { ClusterPaths } from './cluster-paths.js';
import { isRunning } from './process-state.js';

/** The contents of PostgreSQL's own lock file (src/include/utils/pidfile.h: one item a line). */
export interface PostmasterLock {
  pid: number;
  port: number | undefined;
  /** `starting`, `ready`, `stopping` or `standby`. */
  status: string | undefined;
  /** Whether the server that wrote it still runs. */
  alive: boolean;
}

/** Larger than any process number of the kernel, so surely nobody's. */
const NO_PROCESS = 2_147_483_647;

/** @returns undefined when there is no lock file, so no server */
export async function readLock(paths: ClusterPaths): Promise<PostmasterLock | undefined> {
  const text = await readFile(paths.lockFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const lines = text?.split('\n').map((line) => line.trim());
  const pid = Number(lines?.[0]);
  if (lines === undefined || !Number.isInteger(pid) || pid <= 0) return undefined;
  const port = Number(lines[3]);
  const alive = (await isRunning(pid, 'postgres')) && !(await servesAnother(pid, paths));
  return { pid, port: port > 0 ? port : undefined, status: lines[7], alive };
}

/** After a reboot the number in an old lock file may be that of another cluster's server. */
async function servesAnother(pid: number, paths: ClusterPaths): Promise<boolean> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return folder !== undefined && folder !== (await realpath(paths.data));
}

/**
 * Makes a lock file that was left behind acceptable to PostgreSQL, which refuses to start while the number in it
 * belongs to any process of its account, a zombie too. The rest of the file stays: from it PostgreSQL sees whether
 * backends of the dead server are still attached to its memory.
 */
export async function disarmStaleLock(paths: ClusterPaths): Promise<void> {
  const text = await readFile(paths.lockFile, 'utf8');
  await writeFile(paths.lockFile, text.replace(/^[^\n]*/, String(NO_PROCESS)));
}
