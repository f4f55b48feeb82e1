import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Another agent uses the same folder. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

/** The folder cannot be created or written to, or has no space. */
export class DataDirUnusable extends Error {
  override readonly name = 'DataDirUnusable';
}

/**
 * Locks a data folder: two agents on one folder would send results twice and delete each other's files. The lock of a
 * process that is gone is replaced.
 * @returns releases the lock
 * @throws DataDirInUse, DataDirUnusable
 */
export function lockDataDir(dataDir: string): () => void {
  makeWritable(dataDir);
  const path = join(dataDir, 'agent.lock');
  const own = identityOf(process.pid) ?? String(process.pid);
  const draft = `${path}.${process.pid}`;
  try {
    inDataDir(dataDir, () => writeFileSync(draft, own));
    for (let attempt = 0; !tryLink(draft, path); attempt++) {
      const holder = readIfPresent(path);
      if (holder !== undefined && (isAlive(holder, own) || attempt > 3)) {
        throw new DataDirInUse(
          `DATA_DIR ${dataDir} is in use by the agent with process id ${holder.split(' ')[0]}; give each agent its own folder, or stop that one`,
        );
      }
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readIfPresent(path) === own) rmSync(path, { force: true });
  };
}

function makeWritable(dataDir: string): void {
  inDataDir(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  });
}

/** @throws DataDirUnusable where the folder refuses it, as one on a full disk does */
function inDataDir(dataDir: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DataDirUnusable(
      `DATA_DIR ${dataDir} cannot be used (${code}); set it to a folder that this process can write to, on a disk with space`,
      { cause: error },
    );
  }
}

function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function isAlive(holder: string, own: string): boolean {
  const pid = Number(holder.split(' ')[0]);
  // In a container, another process can have had the same pid.
  if (!Number.isSafeInteger(pid) || pid <= 0 || (pid === process.pid && holder !== own)) return false;
  const identity = identityOf(pid);
  if (identity !== undefined) return identity === holder;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** `pid starttime`, which distinguishes a reused process id; undefined without /proc. */
function identityOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds no lock.
    return fields[0] === 'Z' ? `${pid} gone` : `${pid} ${fields[19]}`;
  } catch {
    return undefined;
  }
}
