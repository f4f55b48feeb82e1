import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second (USER_HZ), on every architecture that Node runs on. */
const MS_PER_TICK = 10;

interface Stat {
  pid: number;
  parent: number;
  name: string;
  ownMs: number;
  /** CPU time of children that have ended. */
  endedChildrenMs: number;
}

/** The CPU time of a process so far, user and system, in ms. */
export function cpuMs(pid: number): number {
  const stat = readStat(pid);
  if (!stat) throw new Error(`process ${pid} is gone`);
  return stat.ownMs;
}

/** The CPU time of a process and its descendants, by program: `node`, `postgres`. */
export function treeCpuMs(root: number): Map<string, number> {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
  const used = new Map<string, number>();
  const take = (stat: Stat): void => {
    used.set(stat.name, (used.get(stat.name) ?? 0) + stat.ownMs + stat.endedChildrenMs);
    for (const child of all) if (child.parent === stat.pid) take(child);
  };
  for (const stat of all) if (stat.pid === root) take(stat);
  return used;
}

/** The CPU time of a control plane, of the agent that it has started, and of its database, by program, in ms. */
export function childrenCpuMs(root: number): Map<string, number> {
  const used = new Map([['control plane', cpuMs(root)]]);
  for (const pid of childrenOf(root)) {
    const isDatabase = readStat(pid)?.name === 'postgres';
    const ms = [...treeCpuMs(pid).values()].reduce((sum, of) => sum + of, 0);
    const name = isDatabase ? 'PostgreSQL' : 'agent';
    used.set(name, (used.get(name) ?? 0) + ms);
  }
  return used;
}

function childrenOf(root: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readStat(pid)?.parent === root);
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

function readStat(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name is in brackets and may contain any character. proc(5) numbers the fields after it from 3 on.
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  const ticks = (...numbers: number[]): number =>
    numbers.reduce((sum, number) => sum + Number(fields[number - 3]), 0) * MS_PER_TICK;
  const program = text.slice(text.indexOf('(') + 1, close);
  return {
    pid,
    parent: Number(fields[1]),
    name: program.startsWith('postgres') ? 'postgres' : 'node',
    ownMs: ticks(14, 15),
    endedChildrenMs: ticks(16, 17),
  };
}
