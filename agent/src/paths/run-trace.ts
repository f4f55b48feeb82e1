import { execFile } from 'node:child_process';
import { MOST_PATH_HOPS } from '@watchpost/shared/outcome';
import { PROGRAM_OPTIONS } from '../probes/program-options.js';
import { PROBES_A_HOP, readTrace, type Trace } from './read-trace.js';

/** The most time of a trace. What was found until then counts. */
const LIMIT_MS = 15_000;
const SELF_TEST_MS = 3_000;
/** An answer is awaited for at most so many seconds; less where other hops answer sooner. */
const WAIT_SECONDS = 2;

/**
 * Traces the way to an address by the program traceroute: connections that end at each router on the way, to one port.
 * @returns null where the program did not run, or was stopped
 */
export function runTrace(
  program: string,
  address: string,
  port: number,
  signal: AbortSignal,
  limitMs = LIMIT_MS,
): Promise<Trace | null> {
  return new Promise((resolve) => {
    // Never a shell: each argument is a number of ours, or an address that the egress policy has allowed.
    const args = ['-n', '-T', '-p', port, '-q', PROBES_A_HOP, '-m', MOST_PATH_HOPS, '-w', WAIT_SECONDS, address];
    const options = { ...PROGRAM_OPTIONS, timeout: limitMs, signal };
    execFile(program, args.map(String), options, (error, output) => {
      const isOver = error?.killed === true && !signal.aborted;
      resolve(error === null || isOver ? readTrace(output, address) : null);
    });
  });
}

/** @returns whether this program can trace to this machine itself, with the rights of this process and in the words that are read here */
export async function canTrace(program: string): Promise<boolean> {
  const trace = await runTrace(program, '127.0.0.1', 9, new AbortController().signal, SELF_TEST_MS);
  return trace !== null && trace.reached;
}
