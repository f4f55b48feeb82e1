import { readFile } from 'node:fs/promises';

/** What distinguishes a process from a later one with the same number. */
export interface ProcessMark {
  pid: number;
  /** In clock ticks since boot, from procfs; undefined where there is none. */
  startTicks: string | undefined;
}

interface ProcessStat {
  name: string;
  state: string;
  startTicks: string;
}

/** @returns undefined when there is no such process, or no procfs */
async function statOf(pid: number): Promise<ProcessStat | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (line === undefined) return undefined;
  // "pid (name) state ppid …"; the name may itself hold spaces and brackets.
  const end = line.lastIndexOf(')');
  const fields = line.slice(end + 2).split(' ');
  return { name: line.slice(line.indexOf('(') + 1, end), state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether a process of that number runs, a zombie not counted: nobody may ever reap it, as in a container
 * whose first process does not.
 * @param name of its program, when it matters that it is that one; only looked at where there is a procfs
 */
export async function isRunning(pid: number, name?: string): Promise<boolean> {
  if (!answersSignals(pid)) return false;
  const found = await statOf(pid);
  if (found === undefined) return answersSignals(pid);
  return found.state !== 'Z' && found.state !== 'X' && (name === undefined || found.name === name);
}

export async function markOf(pid: number): Promise<ProcessMark> {
  return { pid, startTicks: (await statOf(pid))?.startTicks };
}

export async function isStillRunning(mark: ProcessMark): Promise<boolean> {
  return (await isRunning(mark.pid)) && (await markOf(mark.pid)).startTicks === mark.startTicks;
}
