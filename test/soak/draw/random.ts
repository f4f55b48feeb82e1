import { createHash } from 'node:crypto';

/** A source of pseudo-random numbers that is the same for the same seed and purpose. */
export interface Random {
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
  shuffled<T>(list: readonly T[]): T[];
}

/** @param purpose draws for one purpose do not change those for another */
export function randomOf(seed: number, purpose: string): Random {
  const hash = createHash('sha256').update(`${seed} ${purpose}`).digest();
  // xorshift128 (Marsaglia 2003); the period is 2^128 - 1, and the state is never 0.
  const state = new Uint32Array([
    hash.readUInt32LE(0) | 1,
    hash.readUInt32LE(4),
    hash.readUInt32LE(8),
    hash.readUInt32LE(12),
  ]);
  const next = (): number => {
    let t = state[3]!;
    const s = state[0]!;
    state[3] = state[2]!;
    state[2] = state[1]!;
    state[1] = s;
    t ^= t << 11;
    t ^= t >>> 8;
    state[0] = t ^ s ^ (s >>> 19);
    return state[0] / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    pick: (list) => list[between(0, list.length - 1)]!,
    chance: (probability) => next() < probability,
    shuffled(list) {
      const copy = [...list];
      for (let index = copy.length - 1; index > 0; index--) {
        const other = between(0, index);
        [copy[index], copy[other]] = [copy[other]!, copy[index]!];
      }
      return copy;
    },
  };
}
