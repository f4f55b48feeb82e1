import { ResultBatch } from '@watchpost/shared/gen/watchpost/agent/v1/agent';

/** Results that are encoded already, and where they stand in which spool. */
export interface EncodedBatch {
  firstSequence: number;
  spoolId: string;
  payloads: readonly Uint8Array[];
}

/** Field 3 of ResultBatch, length-delimited (protobuf encoding: field number, then wire type 2). */
const RESULTS_TAG = (3 << 3) | 2;

/** A ResultBatch on the wire; the spool holds results in their wire form, so nothing is decoded on the way. */
export function encodeBatch(batch: EncodedBatch): Buffer {
  const writer = ResultBatch.encode({
    firstSequence: BigInt(batch.firstSequence),
    spoolId: batch.spoolId,
    results: [],
  });
  for (const payload of batch.payloads) writer.uint32(RESULTS_TAG).bytes(payload);
  return Buffer.from(writer.finish());
}
