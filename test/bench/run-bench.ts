import { fork } from 'node:child_process';
import type { BenchRow } from './bench-row.js';
import type { Bench, BenchOptions, Defer } from './bench.js';

/** The last message of the process of a bench. */
type Outcome = { rows: BenchRow[] } | { error: string };

const CLEAN_UP_MS = 20_000;

/**
 * Runs a bench in a process of its own, so that none sees another's heap or compiled code.
 * @returns its rows, or a sentence on why there are none
 */
export function runInProcess(
  main: string,
  bench: Bench,
  options: BenchOptions,
  passedOn: readonly string[],
): Promise<BenchRow[] | string> {
  const { deadlineSeconds } = bench;
  const seconds = typeof deadlineSeconds === 'number' ? deadlineSeconds : deadlineSeconds(options);
  const child = fork(main, ['--in-process', bench.name, ...passedOn], { env: { ...process.env, NODE_OPTIONS: '' } });
  return new Promise((resolve) => {
    let result: BenchRow[] | string = 'its process ended without a result';
    child.once('message', (outcome: Outcome) => {
      result = 'rows' in outcome ? outcome.rows : outcome.error;
    });
    const late = setTimeout(() => {
      result = `not done within ${seconds} s`;
      if (child.connected) child.disconnect();
    }, seconds * 1_000);
    const stuck = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000 + CLEAN_UP_MS);
    child.once('exit', () => {
      clearTimeout(late);
      clearTimeout(stuck);
      resolve(result);
    });
  });
}

/** Runs a bench in the process that `runInProcess` started, sends its outcome to the parent, cleans up and exits. */
export async function runHere(bench: Bench, options: BenchOptions): Promise<never> {
  const cleanUps: (() => unknown)[] = [];
  const defer: Defer = (cleanUp) => void cleanUps.push(cleanUp);
  const end = async (): Promise<never> => {
    setTimeout(() => process.exit(1), CLEAN_UP_MS - 2_000);
    for (const cleanUp of cleanUps.splice(0).toReversed()) await Promise.resolve(cleanUp()).catch(() => undefined);
    process.exit(0);
  };
  process.once('disconnect', () => void end());
  // A SIGINT from the terminal reaches both processes. The main process ends, and its disconnect ends this one in order.
  process.on('SIGINT', () => {});
  const outcome = await bench
    .load()
    .then((run) => run(defer, options))
    .then(
      (rows): Outcome => ({ rows }),
      (error: unknown): Outcome => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  await new Promise((resolve) => process.send!(outcome, resolve));
  return end();
}
