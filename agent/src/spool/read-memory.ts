import type { Fifo } from '@watchpost/shared/queues/fifo';

export interface MemoryRecord {
  sequence: number;
  payload: Uint8Array;
}

/** Consecutive records from `firstSequence` on. */
export interface SpoolBatch {
  firstSequence: number;
  payloads: Uint8Array[];
}

/** The records from `firstSequence` on, within the limits; undefined where there are none. */
export function readMemory(
  records: Fifo<MemoryRecord>,
  firstSequence: number,
  maxRecords: number,
  maxBytes: number,
): SpoolBatch | undefined {
  const start = firstSequence - (records.peek()?.sequence ?? firstSequence);
  const payloads: Uint8Array[] = [];
  let bytes = 0;
  for (
    let record = records.at(start);
    record && payloads.length < maxRecords && bytes < maxBytes;
    record = records.at(start + payloads.length)
  ) {
    payloads.push(record.payload);
    bytes += record.payload.length;
  }
  return payloads.length > 0 ? { firstSequence, payloads } : undefined;
}
