import { ResultBatch } from '../gen/watchpost/agent/v1/agent.js';

/** Encoded results, and the position of the first one in which spool. */
export interface EncodedBatch {
  firstSequence: number;
  spoolId: string;
  payloads: readonly Uint8Array[];
}

/** Field 3 of ResultBatch, length-delimited (protobuf encoding: field number, then wire type 2). */
const RESULTS_TAG = (3 << 3) | 2;

/** A ResultBatch on the wire. The spool holds encoded results, so that nothing is decoded on the way. */
export function encodeResultBatch(batch: EncodedBatch): Buffer {
  const writer = ResultBatch.encode({
    firstSequence: BigInt(batch.firstSequence),
    spoolId: batch.spoolId,
    results: [],
  });
  for (const payload of batch.payloads) writer.uint32(RESULTS_TAG).bytes(payload);
  return Buffer.from(writer.finish());
}
