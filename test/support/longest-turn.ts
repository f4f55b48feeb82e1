import { readFileSync } from 'node:fs';

/** Processor time of the main thread, ms. */
function busyMs(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
}

/**
 * The longest turn of the event loop of this process while `work` runs, as processor time of its thread: on the clock, it
 * would be longer where others use the processors.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver, before] = [0, false, busyMs()];
  const look = () => {
    const now = busyMs();
    longest = Math.max(longest, now - before);
    before = busyMs();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longest;
}
