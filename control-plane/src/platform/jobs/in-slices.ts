import { throwIfOver } from '../db/request-context.js';
import { LoopTurns } from './loop-turns.js';

const SLICE_MS = 10;
/** All long computations of requests together have one slice of a turn. */
const turns = new LoopTurns(1);

/**
 * Divides a long computation of a request among the turns of the event loop, so that the process serves others meanwhile.
 * @returns a function to be called between parts of at most a few ms; it throws RequestOver where nobody waits any more
 */
export function inSlices(): () => Promise<void> {
  let startedMs = performance.now();
  return async () => {
    throwIfOver();
    if (performance.now() - startedMs < SLICE_MS) return;
    await turns.take(1);
    throwIfOver();
    startedMs = performance.now();
  };
}
