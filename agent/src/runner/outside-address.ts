import { networkInterfaces } from 'node:os';

const FRESH_MS = 1_000;

/** Whether this machine has a network address beyond loopback and link-local. */
export function hasOutsideAddress(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((address) => !address.internal && !address.address.startsWith('fe80:')),
  );
}

/** Calls `look` at most once a second: in an outage, many checks need the answer at the same time. */
export function remembered(now: () => number, look: () => boolean): () => boolean {
  let answer = { at: -Infinity, value: true };
  return () => {
    if (now() - answer.at >= FRESH_MS) answer = { at: now(), value: look() };
    return answer.value;
  };
}
