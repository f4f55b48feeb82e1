import { readFileSync } from 'node:fs';
import { expect } from 'chai';

/** Everybody waits while one request holds the event loop; `npm run bench` has the figures. Shorter turns are fine in any case. */
const SHORT_MS = 50;
/** Otherwise the work is in turns, none of which has more than this part of it, however fast the machine is. */
const MOST_OF_ALL = 1 / 3;
const TRIES = 4;

/** Processor time of the main thread, ms. */
function busyMs(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
}

/**
 * Expects that work does not hold the event loop of this process: that it is divided into turns. The best of a few tries
 * counts, because a collection of garbage may fall into any of them.
 */
export async function expectShortTurns(work: () => Promise<unknown>, what?: string): Promise<void> {
  let best = { longestMs: Infinity, mostMs: 0 };
  for (let turn = 0; turn < TRIES && best.longestMs > best.mostMs; turn++) {
    const { longestMs, allMs } = await turnsOf(work);
    const mostMs = Math.max(SHORT_MS, allMs * MOST_OF_ALL);
    if (longestMs / mostMs < best.longestMs / best.mostMs) best = { longestMs, mostMs };
  }
  expect(best.longestMs, `${what ?? 'the longest turn'}, ms of the processor`).to.be.at.most(best.mostMs);
}

async function turnsOf(work: () => Promise<unknown>): Promise<{ longestMs: number; allMs: number }> {
  const fromMs = busyMs();
  let [longestMs, isOver, before] = [0, false, fromMs];
  const look = () => {
    const now = busyMs();
    longestMs = Math.max(longestMs, now - before);
    before = busyMs();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return { longestMs, allMs: busyMs() - fromMs };
}
