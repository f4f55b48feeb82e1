import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { CheckResult, type ResultBatch } from '../gen/watchpost/agent/v1/agent.js';
import type { CheckResult as Result } from '../outcome.js';
import { resultFromWire, safeInteger } from './decode-result.js';
import { decodeFrame, WireError } from './wire-error.js';

/** Results as they came, and the sequence numbers of the first and the last. */
export interface ReceivedBatch {
  spoolId: string;
  firstSequence: number;
  lastSequence: number;
  /** Bytes on the wire. */
  size: number;
  results: Result[];
}

/** A batch with more results is refused. */
export const MAX_BATCH_RESULTS = 1_000;

const FIRST_SEQUENCE = (1 << 3) | WireType.Varint;
const SPOOL_ID = (2 << 3) | WireType.LengthDelimited;
const RESULTS = (3 << 3) | WireType.LengthDelimited;
const SKIPPED: ReadonlySet<number> = new Set([
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.Bit32,
]);

const RESULT_BATCH = { decode: (frame: Uint8Array) => readResultBatch(frame, MAX_BATCH_RESULTS + 1) };

/** @throws WireError naming the first result at fault */
export function decodeResultBatch(frame: Uint8Array): ReceivedBatch {
  const batch = decodeFrame(RESULT_BATCH, frame);
  const count = batch.results.length;
  if (count === 0 || count > MAX_BATCH_RESULTS)
    throw new WireError(`a batch has 1 to ${MAX_BATCH_RESULTS} results, not ${count === 0 ? 'none' : 'more'}`);
  if (batch.spoolId.length === 0 || batch.spoolId.length > 64) throw new WireError('spool_id has 1 to 64 characters');
  const firstSequence = safeInteger(batch.firstSequence, 'first_sequence');
  const lastSequence = firstSequence + count - 1;
  if (!Number.isSafeInteger(lastSequence)) throw new WireError('first_sequence is out of range');
  const results: Result[] = [];
  for (let index = 0; index < count; index++) {
    try {
      results.push(resultFromWire(batch.results[index]!));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const sequence = firstSequence + index;
      throw new WireError(`result ${sequence}: ${error.message}`, sequence);
    }
  }
  return { spoolId: batch.spoolId, firstSequence, lastSequence, size: frame.length, results };
}

/**
 * Decodes a batch up to its `most`-th result: 4 MiB of empty results would become some 700 MiB of objects before they are
 * refused. A result must end exactly at its length: the generated decoder accepts one that ends too early or too late, and
 * misreads everything after it.
 * @throws Error for an invalid batch
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
  if (reader.pos !== end) throw new Error('the length of a result is wrong');
  return result;
}
