import { decodeFrame, FRAME_HEADER_BYTES, MAX_PAYLOAD_BYTES } from './record-frame.js';
import { SEGMENT_HEADER_BYTES, type Segment } from './segment.js';
import type { SpoolDisk } from './spool-disk.js';

const CHUNK_BYTES = 256 * 1024;
const NO_DESCRIPTORS = new Set(['EMFILE', 'ENFILE']);

/** Reads records in order, one chunk at a time, and remembers its position: a replay reads each byte once. */
export class SegmentReader {
  private at: { segment: Segment; sequence: number; offset: number } | undefined;

  constructor(private readonly disk: SpoolDisk) {}

  /**
   * Reads the records from `sequence` on, within one chunk and the limits; at least one, unless it is damaged. Damage
   * shortens the segment to the records before it.
   * @returns undefined where this process has no descriptor left
   */
  read(
    segment: Segment,
    sequence: number,
    maxRecords: number,
    maxBytes: number,
  ): { payloads: Buffer[]; damaged: boolean } | undefined {
    const payloads: Buffer[] = [];
    let { offset, at } = this.start(segment, sequence);
    let bytes = 0;
    let chunk = this.chunk(segment, offset, CHUNK_BYTES);
    let base = offset;
    const end = segment.firstSequence + segment.count;
    while (chunk && at < end && payloads.length < maxRecords && bytes < maxBytes) {
      let frame = decodeFrame(chunk, offset - base);
      if (frame.kind === 'short' || frame.kind === 'end') {
        if (payloads.length > 0) break;
        chunk = this.chunk(segment, offset, offset === base ? FRAME_HEADER_BYTES + MAX_PAYLOAD_BYTES : CHUNK_BYTES);
        if (!chunk) break;
        base = offset;
        frame = decodeFrame(chunk, 0);
      }
      if (frame.kind !== 'record') {
        segment.count = at - segment.firstSequence;
        return { payloads, damaged: true };
      }
      if (at >= sequence) {
        payloads.push(frame.payload);
        bytes += frame.payload.length;
      }
      offset = base + frame.next;
      at++;
    }
    if (!chunk) return undefined;
    this.at = { segment, sequence: at, offset };
    return { payloads, damaged: false };
  }

  private start(segment: Segment, sequence: number): { offset: number; at: number } {
    const known = this.at;
    if (known?.segment === segment && known.sequence <= sequence) return { offset: known.offset, at: known.sequence };
    return { offset: SEGMENT_HEADER_BYTES, at: segment.firstSequence };
  }

  private chunk(segment: Segment, offset: number, length: number): Buffer | undefined {
    const wanted = Math.max(0, Math.min(length, segment.bytes - offset));
    const bytes = Buffer.allocUnsafe(wanted);
    let fd: number | undefined;
    try {
      fd = this.disk.openToRead(segment.name);
      return bytes.subarray(0, this.disk.read(fd, bytes, offset));
    } catch (error) {
      // An unreadable file or sector is handled as damage.
      return NO_DESCRIPTORS.has((error as NodeJS.ErrnoException).code ?? '') ? undefined : bytes.subarray(0, 0);
    } finally {
      if (fd !== undefined) this.disk.close(fd);
    }
  }
}
