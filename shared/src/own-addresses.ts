import { networkInterfaces } from 'node:os';

/** Interfaces can change; listing them takes some 50 µs. */
const FRESH_MS = 2_000;

/** The addresses of this machine's interfaces, refreshed every two seconds; the same array while they are unchanged. */
export const ownAddresses = createOwnAddresses(
  () => Object.values(networkInterfaces()).flatMap((interfaces) => (interfaces ?? []).map(({ address }) => address)),
  () => performance.now(),
);

/** @param monotonicMs a clock that never steps */
export function createOwnAddresses(read: () => readonly string[], monotonicMs: () => number): () => readonly string[] {
  let addresses: readonly string[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = monotonicMs();
    if (nowMs - readAtMs >= FRESH_MS) {
      readAtMs = nowMs;
      const now = read();
      if (now.join() !== addresses.join()) addresses = now;
    }
    return addresses;
  };
}
