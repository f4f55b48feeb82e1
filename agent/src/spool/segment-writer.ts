import { encodeFrame } from './record-frame.js';
import { encodeSegmentHeader, segmentName, SEGMENT_HEADER_BYTES, type Segment } from './segment.js';
import type { SpoolDisk } from './spool-disk.js';

const SYNC_MS = 200;

/**
 * Appends records to one segment at a time. One sync covers all records of a fifth of a second.
 */
export class SegmentWriter {
  private open: { segment: Segment; fd: number } | undefined;
  private syncTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly disk: SpoolDisk,
    private readonly onFailure: (error: Error) => void,
  ) {}

  get segment(): Segment | undefined {
    return this.open?.segment;
  }

  /**
   * Appends a record, in a new segment where none is open.
   * @returns false where the write failed; the segment then ends before this record
   */
  append(spoolId: string, sequence: number, payload: Uint8Array, nowMs: number): boolean {
    try {
      this.open ??= this.begin(spoolId, sequence, nowMs);
      const { segment, fd } = this.open;
      const frame = encodeFrame(payload);
      this.disk.write(fd, frame, segment.bytes);
      segment.bytes += frame.length;
      segment.count++;
      segment.lastAppendMs = nowMs;
    } catch (error) {
      this.close();
      this.onFailure(error as Error);
      return false;
    }
    this.syncTimer ??= setTimeout(() => this.sync(), SYNC_MS).unref();
    return true;
  }

  /** Syncs and ends the segment; the next record begins another. */
  close(): void {
    if (!this.open) return;
    clearTimeout(this.syncTimer);
    this.syncTimer = undefined;
    const { segment, fd } = this.open;
    this.open = undefined;
    try {
      this.disk.truncate(fd, segment.bytes); // removes a partial record
      this.disk.syncNow(fd);
    } catch (error) {
      this.onFailure(error as Error);
    }
    this.disk.close(fd);
  }

  private begin(spoolId: string, sequence: number, nowMs: number): { segment: Segment; fd: number } {
    const name = segmentName(sequence);
    const fd = this.disk.open(name);
    try {
      this.disk.write(fd, encodeSegmentHeader(spoolId, sequence), 0);
    } catch (error) {
      this.disk.close(fd);
      this.disk.remove(name);
      throw error;
    }
    return {
      segment: { name, firstSequence: sequence, count: 0, bytes: SEGMENT_HEADER_BYTES, lastAppendMs: nowMs },
      fd,
    };
  }

  private sync(): void {
    const open = this.open;
    if (!open) return;
    this.disk.sync(open.fd).then(
      () => {
        this.syncTimer = undefined;
      },
      (error: Error) => {
        this.syncTimer = undefined;
        // A segment that was closed meanwhile is synced.
        if (this.open === open) this.onFailure(error);
      },
    );
  }
}
