import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-state.js';

/** Signals of the postmaster and how long each is given, ms: fast, then immediate shutdown, then none at all. */
const STEPS: readonly [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 2_000],
];
const POLL_MS = 10;

/** Stops the server: open transactions are rolled back and everything is written out, unless that takes too long. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, patienceMs] of STEPS) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      if (!(await isRunning(pid, 'postgres'))) return;
      await sleep(POLL_MS);
    }
  }
}
