/** The types that ingest sends: OID (pg_type.dat) and bytes per value. */
const TYPES = { bigint: [20, 8], integer: [23, 4], smallint: [21, 2] } as const;
export type ArrayType = keyof typeof TYPES;

const HEADER_BYTES = 20;
const TWO_TO_32 = 0x1_0000_0000;

/**
 * An array of integers in the binary format of PostgreSQL (`array_recv` in arrayfuncs.c): dimensions, null flag, type,
 * length, lower bound; then each value after its length, all big-endian. The driver sends a buffer unchanged.
 * @param valueOf a safe integer that fits the type
 */
export function encodeArray<Item>(items: readonly Item[], type: ArrayType, valueOf: (item: Item) => number): Buffer {
  const [oid, size] = TYPES[type];
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + items.length * (4 + size));
  let at = 0;
  for (const word of [1, 0, oid, items.length, 1]) at = bytes.writeInt32BE(word, at);
  for (const item of items) {
    const value = valueOf(item);
    at = bytes.writeInt32BE(size, at);
    if (size === 8) {
      const high = Math.floor(value / TWO_TO_32);
      at = bytes.writeInt32BE(high, at);
      at = bytes.writeUInt32BE(value - high * TWO_TO_32, at);
    } else if (size === 4) at = bytes.writeInt32BE(value, at);
    else at = bytes.writeInt16BE(value, at);
  }
  return bytes;
}
