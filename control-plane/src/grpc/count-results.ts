import { WireError } from './wire-error.js';

/** `results` of a `ResultBatch` as it begins on the wire: field 3, its length first. */
const RESULTS_TAG = (3 << 3) | 2;
const MAX_VARINT_BYTES = 10;

/**
 * How many results the frame of a `ResultBatch` holds, without making any: 4 MiB of empty ones would become some
 * 700 MiB of objects before anybody could refuse them. It reads numbers as the decoder does, their low 32 bits.
 * @throws WireError for what no agent sends: groups, kinds of field that do not exist
 */
export function countResults(frame: Uint8Array): number {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let read = 0; read < MAX_VARINT_BYTES && at < frame.length; read++) {
      const byte = frame[at++]!;
      if (read < 5) value = (value | ((byte & 0x7f) << (7 * read))) >>> 0;
      if (byte < 0x80) return value;
    }
    throw new WireError('not a message of the contract: a number has no end');
  };
  let count = 0;
  while (at < frame.length) {
    const tag = varint();
    if (tag === RESULTS_TAG) count++;
    const length = lengthOf(tag & 7, varint);
    at += length;
  }
  return count;
}

/** How many bytes a field takes that are not read yet. */
function lengthOf(wireType: number, varint: () => number): number {
  switch (wireType) {
    case 0:
      varint();
      return 0;
    case 1:
      return 8;
    case 2:
      return varint();
    case 5:
      return 4;
    default:
      throw new WireError(`not a message of the contract: wire type ${wireType}`);
  }
}
