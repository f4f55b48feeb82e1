import { crc32 } from 'node:zlib';

/** Length and CRC-32 of the payload, both 32 bits little endian, then the payload. */
export const FRAME_HEADER_BYTES = 8;
/** The longest record; a greater length is damage. */
export const MAX_PAYLOAD_BYTES = 1 << 20;

/** @throws RangeError for an empty or too long payload */
export function encodeFrame(payload: Uint8Array): Buffer {
  if (payload.length === 0 || payload.length > MAX_PAYLOAD_BYTES)
    throw new RangeError(`a record of ${payload.length} bytes does not fit a frame`);
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  frame.writeUInt32LE(payload.length, 0);
  frame.writeUInt32LE(crc32(payload), 4);
  frame.set(payload, FRAME_HEADER_BYTES);
  return frame;
}

/** What is at an offset: a record, the end, too few bytes for a whole record, or damage. */
export type Frame = { kind: 'record'; payload: Buffer; next: number } | { kind: 'end' | 'short' | 'corrupt' };

/** Reads the frame at `offset`; the payload shares memory with `bytes`. */
export function decodeFrame(bytes: Buffer, offset: number): Frame {
  if (offset >= bytes.length) return { kind: 'end' };
  if (offset + FRAME_HEADER_BYTES > bytes.length) return { kind: 'short' };
  const length = bytes.readUInt32LE(offset);
  if (length === 0 || length > MAX_PAYLOAD_BYTES) return { kind: 'corrupt' };
  const next = offset + FRAME_HEADER_BYTES + length;
  if (next > bytes.length) return { kind: 'short' };
  const payload = bytes.subarray(offset + FRAME_HEADER_BYTES, next);
  return crc32(payload) === bytes.readUInt32LE(offset + 4) ? { kind: 'record', payload, next } : { kind: 'corrupt' };
}
