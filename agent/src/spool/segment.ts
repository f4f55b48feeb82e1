import { crc32 } from 'node:zlib';
import { decodeFrame } from './record-frame.js';
import type { SpoolDisk } from './spool-disk.js';

/** A file of the spool: a header, then records with consecutive sequence numbers from `firstSequence` on. */
export interface Segment {
  name: string;
  firstSequence: number;
  count: number;
  /** Of the whole file, up to the last good record. */
  bytes: number;
  lastAppendMs: number;
}

export const SEGMENT_HEADER_BYTES = 36;
const MAGIC = 'WPSP';
const VERSION = 1;
const NAME = /^\d{16}\.seg$/;

export function segmentName(firstSequence: number): string {
  return `${String(firstSequence).padStart(16, '0')}.seg`;
}

/** Names of segments, oldest first. */
export function segmentNames(disk: SpoolDisk): string[] {
  return disk
    .names()
    .filter((name) => NAME.test(name))
    .toSorted();
}

export function lastSequence(segment: Segment): number {
  return segment.firstSequence + segment.count - 1;
}

/** @param spoolId 16 bytes in hex */
export function encodeSegmentHeader(spoolId: string, firstSequence: number): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  header.write(MAGIC, 0, 'latin1');
  header.writeUInt32LE(VERSION, 4);
  header.write(spoolId, 8, 'hex');
  header.writeBigUInt64LE(BigInt(firstSequence), 24);
  header.writeUInt32LE(crc32(header.subarray(0, 32)), 32);
  return header;
}

/** The content of a segment file. `damaged`: records are lost, beyond a torn end. */
export interface ScannedSegment {
  segment: Segment;
  spoolId: string;
  damaged: boolean;
}

/**
 * Reads a segment file up to its last good record. An incomplete last record is what a crash leaves; anything else is
 * damage, and the rest of the file is lost.
 * @returns undefined where the header is invalid
 */
export function scanSegment(
  disk: SpoolDisk,
  name: string,
  visit: (payload: Buffer) => void,
): ScannedSegment | undefined {
  const bytes = readWhole(disk, name);
  if (
    bytes.length < SEGMENT_HEADER_BYTES ||
    bytes.toString('latin1', 0, 4) !== MAGIC ||
    bytes.readUInt32LE(4) !== VERSION
  )
    return undefined;
  if (crc32(bytes.subarray(0, 32)) !== bytes.readUInt32LE(32)) return undefined;
  let offset = SEGMENT_HEADER_BYTES;
  let count = 0;
  let frame = decodeFrame(bytes, offset);
  for (; frame.kind === 'record'; frame = decodeFrame(bytes, offset)) {
    visit(frame.payload);
    offset = frame.next;
    count++;
  }
  const segment: Segment = {
    name,
    firstSequence: Number(bytes.readBigUInt64LE(24)),
    count,
    bytes: offset,
    lastAppendMs: disk.modifiedMs(name),
  };
  return { segment, spoolId: bytes.toString('hex', 8, 24), damaged: frame.kind === 'corrupt' };
}

function readWhole(disk: SpoolDisk, name: string): Buffer {
  const fd = disk.open(name);
  try {
    const bytes = Buffer.allocUnsafe(disk.size(fd));
    let length = 0;
    while (length < bytes.length) {
      const read = disk.read(fd, bytes.subarray(length), length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    disk.close(fd);
  }
}
