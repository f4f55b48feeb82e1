import { randomBytes } from 'node:crypto';
import { Fifo } from '@watchpost/shared/queues/fifo';
import { AckFile } from './ack-file.js';
import { AckTimes } from './ack-times.js';
import { recoverSegments } from './recover-segments.js';
import { readMemory, type MemoryRecord, type SpoolBatch } from './read-memory.js';
import { SegmentReader } from './segment-reader.js';
import { SegmentWriter } from './segment-writer.js';
import { lastSequence, type Segment } from './segment.js';
import { DEFAULT_SPOOL_LIMITS, type SpoolLimits, type SpoolOptions } from './spool-options.js';

/**
 * After a power cut, sequence numbers that were used (and sent) can be missing on disk. So after an unclean end the next
 * number is derived from the time; no agent has more results than this in a millisecond.
 */
const SEQUENCES_PER_MS = 1_000;
const DISK_RETRY_MS = 5_000;

/**
 * The results that are not acknowledged yet: numbered, on disk before they are sent, deleted after their acknowledgement.
 * A record is in the page cache when `append` returns, so that a crash of the process loses nothing; it is synced within a
 * fifth of a second, so that a power cut loses only records that were neither synced nor sent. If a write fails, records
 * are kept in memory and sent from there. A segment that cannot be removed stays until the disk works again.
 */
export class Spool {
  private segments: Segment[];
  private readonly ackFile: AckFile;
  private readonly writer: SegmentWriter;
  private readonly reader: SegmentReader;
  private readonly limits: SpoolLimits;
  /** The newest records; those after `diskSequence` are only here, acknowledged ones included. */
  private readonly recent = new Fifo<MemoryRecord>();
  private recentBytes = 0;
  private diskSequence: number;
  private diskRetryAt: number | undefined;
  private removalFails = false;
  private next: number;
  private acked: number;
  private ackTimes: AckTimes;
  private id: string;
  private readonly skipped = new Set<number>();
  private listener: (urgent: boolean) => void = () => {};

  constructor(private readonly options: SpoolOptions) {
    this.limits = options.limits ?? DEFAULT_SPOOL_LIMITS;
    this.ackFile = new AckFile(options.disk);
    const lastAckMs = this.ackFile.modifiedMs();
    const state = this.ackFile.read();
    const recovered = recoverSegments(
      options.disk,
      state?.spoolId,
      options.visit ?? (() => {}),
      options.events.corrupt,
    );
    this.segments = recovered.segments;
    this.id = state?.spoolId ?? recovered.spoolId ?? randomBytes(16).toString('hex');
    this.acked = state?.acked ?? 0;
    const newest = Math.max(this.acked, ...this.segments.map(lastSequence));
    const isFirstLife = !state && !recovered.spoolId;
    this.next =
      state?.cleanNext || (isFirstLife ? 1 : Math.max(newest + 1, Math.floor(options.clock.now()) * SEQUENCES_PER_MS));
    this.diskSequence = this.next - 1;
    this.ackTimes = this.startAckTimes(lastAckMs);
    this.reader = new SegmentReader(options.disk);
    this.writer = new SegmentWriter(options.disk, (error) => this.diskFailed(error));
    this.saveState(0);
    this.ackFile.sync();
    this.enforceLimits();
  }

  get spoolId(): string {
    return this.id;
  }
  get ackedSequence(): number {
    return this.acked;
  }
  /** Results not yet acknowledged. */
  get depth(): number {
    let depth = this.heldRecords;
    for (const segment of this.segments) depth += this.unacked(segment);
    return depth;
  }
  get bytes(): number {
    return this.segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }
  /** Results in memory only, because they could not be written, that are not acknowledged. */
  get heldRecords(): number {
    return Math.max(0, this.next - Math.max(this.firstUnwritten, this.acked + 1));
  }

  /** Whether more results wait for their acknowledgement than are usually on their way to the control plane. */
  get hasBacklog(): boolean {
    return this.recentBytes > this.limits.memoryBytes / 4 || this.depth > this.recent.size;
  }

  /** Sets the one listener, called after each append. */
  onAppend(listener: (urgent: boolean) => void): void {
    this.listener = listener;
  }

  /**
   * @param urgent passed to the listener: the record is to be sent without delay
   * @returns the record's sequence number
   */
  append(payload: Uint8Array, urgent = false): number {
    const sequence = this.next++;
    this.recent.push({ sequence, payload });
    this.recentBytes += payload.length;
    this.writeToDisk();
    this.trimMemory();
    this.listener(urgent);
    return sequence;
  }

  /** Has the records that are not sent yet sent without delay. */
  hurry(): void {
    this.listener(true);
  }

  /** The next records after `after`; undefined where there are none. */
  read(after: number, maxRecords: number, maxBytes: number): SpoolBatch | undefined {
    let from = Math.max(after, this.acked) + 1;
    while (from < this.next) {
      const batch = this.readFrom(from, maxRecords, maxBytes);
      if (!batch) return undefined;
      const skippedAt = batch.payloads.findIndex((_, index) => this.skipped.has(batch.firstSequence + index));
      if (skippedAt < 0) return batch;
      if (skippedAt > 0) return { firstSequence: batch.firstSequence, payloads: batch.payloads.slice(0, skippedAt) };
      from = batch.firstSequence + 1;
    }
    return undefined;
  }

  /** Acknowledges every record up to and including `through`. */
  ack(through: number): void {
    if (through <= this.acked) return;
    this.acked = Math.min(through, this.next - 1);
    while (this.skipped.delete(this.acked + 1)) this.acked++;
    this.ackTimes.note(this.acked, this.options.clock.now());
    this.saveState(0);
    this.forgetAcked();
    this.sweep();
  }

  /**
   * Takes back the acknowledgements of the last `keepAckedMs`: what they confirmed may be lost. Not during a stream, whose
   * acknowledgements would confirm the same records again.
   * @returns the number of records that will be read again
   */
  rewind(): number {
    const before = this.depth;
    this.acked = Math.min(this.acked, this.ackTimes.dispensableThrough(this.options.clock.now()));
    this.ackTimes = this.startAckTimes(-Infinity);
    this.saveState(0);
    return this.depth - before;
  }

  /** Excludes a record that the control plane can never accept. */
  skip(sequence: number): void {
    this.skipped.add(sequence);
    if (sequence === this.acked + 1) this.ack(sequence);
  }

  /** Deletes all records, which belong to another region. */
  discard(): void {
    this.options.events.dropped(this.depth);
    this.writer.close();
    // A segment that the disk keeps has the id of another spool, and is removed at the next start.
    for (const segment of this.segments.splice(0)) this.remove(segment);
    while (this.recent.shift());
    this.recentBytes = 0;
    this.id = randomBytes(16).toString('hex');
    this.acked = this.diskSequence = this.next - 1;
    this.ackTimes = this.startAckTimes(-Infinity);
    this.saveState(0);
  }

  /** Retries failed writes and removes old segments; to be called about every second. */
  sweep(): void {
    if (this.firstUnwritten < this.next) this.writeToDisk();
    const nowMs = this.options.clock.now();
    const keepFrom = nowMs - this.limits.keepAckedMs;
    const dispensable = Math.min(this.acked, this.ackTimes.dispensableThrough(nowMs));
    while (this.segments.length > 0) {
      const oldest = this.segments[0]!;
      if (oldest === this.writer.segment || lastSequence(oldest) > dispensable || oldest.lastAppendMs > keepFrom) break;
      if (!this.removeOldest()) break;
    }
  }

  /** Syncs and marks a clean end. */
  close(): void {
    if (this.firstUnwritten < this.next) {
      this.diskRetryAt = undefined;
      this.writeToDisk();
    }
    this.writer.close();
    this.saveState(this.next);
    try {
      this.ackFile.close();
    } catch (error) {
      this.options.events.disk(error as Error);
    }
  }

  private writeToDisk(): void {
    const now = this.options.clock.now();
    if (this.diskRetryAt !== undefined && now < this.diskRetryAt && now >= this.diskRetryAt - DISK_RETRY_MS) return;
    const first = this.recent.peek()?.sequence ?? this.next;
    for (let sequence = this.firstUnwritten; sequence < this.next; sequence++) {
      const full = this.writer.segment && this.writer.segment.bytes >= this.limits.segmentBytes;
      if (full || (this.writer.segment && lastSequence(this.writer.segment) + 1 !== sequence)) this.writer.close();
      if (!this.writer.append(this.id, sequence, this.recent.at(sequence - first)!.payload, now)) return;
      this.diskSequence = sequence;
      if (this.segments.at(-1) !== this.writer.segment) {
        this.segments.push(this.writer.segment!);
        this.enforceLimits();
      }
    }
    if (this.diskRetryAt === undefined) return;
    this.diskRetryAt = undefined;
    this.reportRecovery();
    this.forgetAcked();
  }

  /** The oldest record in memory that is not on disk; `next` where there is none. */
  private get firstUnwritten(): number {
    return Math.max(this.diskSequence + 1, this.recent.peek()?.sequence ?? this.next);
  }

  /** Acknowledged records stay until they are on disk too, so that a restarted agent knows what it completed. */
  private forgetAcked(): void {
    const through = Math.min(this.acked, this.diskSequence);
    for (let first = this.recent.peek(); first && first.sequence <= through; first = this.recent.peek()) {
      this.recent.shift();
      this.recentBytes -= first.payload.length;
    }
  }

  private startAckTimes(lastMs: number): AckTimes {
    const first = (this.segments[0]?.firstSequence ?? this.acked + 1) - 1;
    return new AckTimes(this.limits.keepAckedMs, { first, through: this.acked, lastMs });
  }

  private diskFailed(error: Error): void {
    this.diskRetryAt = this.options.clock.now() + DISK_RETRY_MS;
    this.options.events.disk(error);
  }

  private readFrom(from: number, maxRecords: number, maxBytes: number): SpoolBatch | undefined {
    const recentFirst = this.recent.peek()?.sequence ?? this.next;
    for (const segment of from < recentFirst ? this.segments : []) {
      if (lastSequence(segment) < from || segment.firstSequence >= recentFirst) continue;
      const firstSequence = Math.max(from, segment.firstSequence);
      const read = this.reader.read(segment, firstSequence, maxRecords, maxBytes);
      // The records after an unread one would be acknowledged with it.
      if (!read) return undefined;
      const { payloads, damaged } = read;
      if (damaged) {
        this.options.events.corrupt(segment.name);
        if (segment === this.writer.segment) this.writer.close();
      }
      if (payloads.length > 0) return { firstSequence, payloads };
    }
    return readMemory(this.recent, Math.max(from, recentFirst), maxRecords, maxBytes);
  }

  private trimMemory(): void {
    while (this.recentBytes > this.limits.memoryBytes && this.recent.size > 1) {
      const oldest = this.recent.shift()!;
      this.recentBytes -= oldest.payload.length;
      if (oldest.sequence > this.diskSequence && oldest.sequence > this.acked) this.options.events.dropped(1);
    }
  }

  private enforceLimits(): void {
    while (this.segments.length > 1 && (this.bytes > this.limits.maxBytes || this.depth > this.limits.maxRecords)) {
      const lost = this.unacked(this.segments[0]!);
      if (!this.removeOldest()) return;
      if (lost > 0) this.options.events.dropped(lost);
    }
  }

  /** @returns whether the segment is gone */
  private removeOldest(): boolean {
    const isGone = this.remove(this.segments[0]!);
    if (isGone) this.segments.shift();
    return isGone;
  }

  private remove(segment: Segment): boolean {
    try {
      this.options.disk.remove(segment.name);
    } catch (error) {
      this.removalFails = true;
      this.options.events.disk(error as Error);
      return false;
    }
    const recovers = this.removalFails;
    this.removalFails = false;
    if (recovers) this.reportRecovery();
    return true;
  }

  /** The disk works again when both writes and removals do: a report of each would alternate with their failures. */
  private reportRecovery(): void {
    if (this.diskRetryAt === undefined && !this.removalFails) this.options.events.disk(undefined);
  }

  private unacked(segment: Segment): number {
    return Math.max(0, lastSequence(segment) - Math.max(this.acked, segment.firstSequence - 1));
  }

  private saveState(cleanNext: number): void {
    try {
      this.ackFile.write({ spoolId: this.id, acked: this.acked, cleanNext });
    } catch (error) {
      this.options.events.disk(error as Error);
    }
  }
}
