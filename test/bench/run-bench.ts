import { fork } from 'node:child_process';
import type { BenchRow } from './bench-row.js';
import type { Bench, BenchOptions, Defer } from './bench.js';

/** A message of the process of a bench: rows as they are measured, and how it ended. */
type Message = { rows: BenchRow[] } | { ended: 'well' | { error: string } };

const CLEAN_UP_MS = 20_000;

/**
 * Runs a bench in a process of its own, so that none sees another's heap or compiled code.
 * @returns its rows, and a sentence on why there are no more
 */
export function runInProcess(
  main: string,
  bench: Bench,
  options: BenchOptions,
  passedOn: readonly string[],
  onRows: (rows: BenchRow[]) => void,
): Promise<{ rows: BenchRow[]; failure?: string }> {
  const { deadlineSeconds } = bench;
  const seconds = typeof deadlineSeconds === 'number' ? deadlineSeconds : deadlineSeconds(options);
  const child = fork(main, ['--in-process', bench.name, ...passedOn], { env: { ...process.env, NODE_OPTIONS: '' } });
  return new Promise((resolve) => {
    const rows: BenchRow[] = [];
    let failure: string | undefined = 'its process ended without a result';
    child.on('message', (message: Message) => {
      if ('rows' in message) {
        rows.push(...message.rows);
        onRows(message.rows);
      } else failure = message.ended === 'well' ? undefined : message.ended.error;
    });
    const late = setTimeout(() => {
      failure = `not done within ${seconds} s`;
      if (child.connected) child.disconnect();
    }, seconds * 1_000);
    const stuck = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000 + CLEAN_UP_MS);
    child.once('exit', () => {
      clearTimeout(late);
      clearTimeout(stuck);
      resolve({ rows, ...(failure !== undefined && { failure }) });
    });
  });
}

/** Runs a bench in the process that `runInProcess` started, sends its rows to the parent, cleans up and exits. */
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
  const send = (message: Message) => new Promise((resolve) => process.send!(message, resolve));
  try {
    const measured = (await bench.load())(defer, options);
    for await (const rows of Symbol.asyncIterator in measured ? measured : [measured]) await send({ rows });
    await send({ ended: 'well' });
  } catch (error) {
    await send({ ended: { error: error instanceof Error ? (error.stack ?? error.message) : String(error) } });
  }
  return end();
}
