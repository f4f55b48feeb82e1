import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { ClusterPaths } from './cluster-paths.js';
import { isStillRunning, markOf, type ProcessMark } from './process-state.js';

/**
 * Which process looks after the server: it alone stops it. A command run beside it (`npm run admin`) is a guest.
 * @returns whether that is now this process
 */
export async function claimSupervision(paths: ClusterPaths): Promise<boolean> {
  const current = await readRecord(paths);
  if (current !== undefined && current.pid !== process.pid && (await isStillRunning(current))) return false;
  const draft = `${paths.supervisor}.${process.pid}`;
  await writeFile(draft, JSON.stringify(await markOf(process.pid)), { mode: 0o600 });
  await rename(draft, paths.supervisor);
  return (await readRecord(paths))?.pid === process.pid;
}

/** @returns whether it was this process's to give up */
export async function releaseSupervision(paths: ClusterPaths): Promise<boolean> {
  if ((await readRecord(paths))?.pid !== process.pid) return false;
  await rm(paths.supervisor, { force: true });
  return true;
}

async function readRecord(paths: ClusterPaths): Promise<ProcessMark | undefined> {
  try {
    return JSON.parse(await readFile(paths.supervisor, 'utf8')) as ProcessMark;
  } catch {
    // None yet, or cut short by a power loss: nobody's.
    return undefined;
  }
}
