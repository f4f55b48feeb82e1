import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { CheckResult, type ResultBatch } from '../gen/watchpost/agent/v1/agent.js';

const FIRST_SEQUENCE = (1 << 3) | WireType.Varint;
const SPOOL_ID = (2 << 3) | WireType.LengthDelimited;
const RESULTS = (3 << 3) | WireType.LengthDelimited;
const SKIPPED: ReadonlySet<number> = new Set([
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.Bit32,
]);

/**
 * Decodes a batch as far as its `most`-th result: 4 MiB of empty ones would become some 700 MiB of objects before anybody
 * could refuse them. A result must end where its length says: the generated decoder lets one that breaks off early, or
 * reads too far, shift how all that follows is read.
 * @throws Error for what no agent sends
 */
export function readResultBatch(frame: Uint8Array, most: number): ResultBatch {
  const reader = new BinaryReader(frame);
  const batch: ResultBatch = { firstSequence: 0n, spoolId: '', results: [] };
  while (reader.pos < reader.len && batch.results.length < most) {
    const tag = reader.uint32();
    if (tag === FIRST_SEQUENCE) batch.firstSequence = reader.uint64() as bigint;
    else if (tag === SPOOL_ID) batch.spoolId = reader.string();
    else if (tag === RESULTS) batch.results.push(readResult(reader));
    else if (tag !== 0 && SKIPPED.has(tag & 7)) reader.skip(tag & 7);
    else throw new Error(`tag ${tag} of a batch`);
  }
  return batch;
}

function readResult(reader: BinaryReader): CheckResult {
  const length = reader.uint32();
  const end = reader.pos + length;
  const result = CheckResult.decode(reader, length);
  if (reader.pos !== end) throw new Error('a result does not end where its length says');
  return result;
}
