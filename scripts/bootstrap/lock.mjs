import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, printProgress } from './root.mjs';

const FOLDER = join(ROOT, '.tmp');
const FILE = join(FOLDER, 'bootstrap.lock');
const DEADLINE_MS = 15 * 60_000;

/**
 * Runs `work` while no other command of this checkout installs or builds.
 * A checkout that this account may not write to needs no lock, because nothing in it can be changed.
 */
export async function withLock(work) {
  const held = await acquire();
  try {
    return await work();
  } finally {
    if (held) await rm(FILE, { force: true });
  }
}

async function acquire() {
  const deadline = Date.now() + DEADLINE_MS;
  for (let isReported = false; ;) {
    try {
      await mkdir(FOLDER, { recursive: true });
      const file = await open(FILE, 'wx');
      await file.writeFile(await ownMark());
      await file.close();
      return true;
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS') return false;
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = await readFile(FILE, 'utf8').catch(() => undefined);
    if (holder !== undefined && !(await isRunning(holder))) {
      await takeAway(holder);
      continue;
    }
    if (Date.now() > deadline) throw new Error(`Another command holds ${FILE} (process ${holder}) for too long.`);
    if (!isReported) printProgress('Waiting for another command of this checkout to finish installing and building …');
    isReported = true;
    await sleep(100);
  }
}

/** The process id with the start time of the process, because ids are reused. */
async function ownMark() {
  return `${process.pid} ${await startTicks(process.pid)}`;
}

async function startTicks(pid) {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

async function isRunning(mark) {
  const [pid, ticks] = mark.split(' ');
  // The file is created and not written yet.
  if (mark === '') return true;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return (await startTicks(pid)) === (ticks ?? '');
}

/** Removes the lock of a dead process. It is renamed and read first, because another process may have replaced it meanwhile. */
async function takeAway(mark) {
  const aside = `${FILE}.${process.pid}`;
  try {
    await rename(FILE, aside);
    if ((await readFile(aside, 'utf8')) === mark) await rm(aside);
    else await rename(aside, FILE);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
