import { fork } from 'node:child_process';
import type { BenchRow } from './bench-row.js';
import type { Bench, Defer } from './bench.js';

/** What the process of a bench says last. */
type Said = { rows: BenchRow[] } | { error: string };

const CLEAN_UP_MS = 20_000;

/**
 * Runs a bench in a process of its own, so that none sees another's heap or compiled code.
 * @returns its rows, or a sentence on why there are none
 */
export function runInProcess(main: string, bench: Bench): Promise<BenchRow[] | string> {
  const child = fork(main, ['--in-process', bench.name], { env: { ...process.env, NODE_OPTIONS: '' } });
  return new Promise((resolve) => {
    let result: BenchRow[] | string = 'its process ended without a word';
    child.once('message', (said: Said) => {
      result = 'rows' in said ? said.rows : said.error;
    });
    const late = setTimeout(() => {
      result = `not done within ${bench.deadlineSeconds} s`;
      if (child.connected) child.disconnect();
    }, bench.deadlineSeconds * 1_000);
    const stuck = setTimeout(() => child.kill('SIGKILL'), bench.deadlineSeconds * 1_000 + CLEAN_UP_MS);
    child.once('exit', () => {
      clearTimeout(late);
      clearTimeout(stuck);
      resolve(result);
    });
  });
}

/** In that process: runs the bench, says what came out, cleans up, and ends. */
export async function runHere(bench: Bench): Promise<never> {
  const cleanUps: (() => unknown)[] = [];
  const defer: Defer = (cleanUp) => void cleanUps.push(cleanUp);
  const end = async (): Promise<never> => {
    setTimeout(() => process.exit(1), CLEAN_UP_MS - 2_000);
    for (const cleanUp of cleanUps.splice(0).toReversed()) await Promise.resolve(cleanUp()).catch(() => undefined);
    process.exit(0);
  };
  process.once('disconnect', () => void end());
  // From the terminal it comes to everybody at once; the main process ends of it, and so this one is told.
  process.on('SIGINT', () => {});
  const said = await bench
    .load()
    .then((run) => run(defer))
    .then(
      (rows): Said => ({ rows }),
      (error: unknown): Said => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  await new Promise((resolve) => process.send!(said, resolve));
  return end();
}
