/** The finaliser of MurmurHash3: every bit of the result depends on all 32 bits of the value. @returns an unsigned 32-bit integer */
export function mixHash(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
