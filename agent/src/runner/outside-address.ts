import { networkInterfaces } from 'node:os';

const FRESH_MS = 1_000;

/** Whether this machine has an address beyond its own loopback; without one it can reach nobody. */
export function hasOutsideAddress(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((address) => !address.internal && !address.address.startsWith('fe80:')),
  );
}

/** Asks `look` at most once a second: after an outage, many checks want to know at the same time. */
export function remembered(now: () => number, look: () => boolean): () => boolean {
  let answer = { at: -Infinity, value: true };
  return () => {
    if (now() - answer.at >= FRESH_MS) answer = { at: now(), value: look() };
    return answer.value;
  };
}
