import type { Clock } from '@watchpost/shared/clock';
import type { SpoolDisk } from './spool-disk.js';

export interface SpoolLimits {
  maxBytes: number;
  maxRecords: number;
  segmentBytes: number;
  /** What is kept in memory besides: the newest records, and all that the disk did not take. */
  memoryBytes: number;
  /** Acknowledged segments stay for this long, so that a restarted agent knows which slots it has done. */
  keepAckedMs: number;
}

export const DEFAULT_SPOOL_LIMITS: SpoolLimits = {
  maxBytes: 512 * 1024 * 1024,
  maxRecords: 2_000_000,
  segmentBytes: 2 * 1024 * 1024,
  memoryBytes: 4 * 1024 * 1024,
  keepAckedMs: 75_000,
};

/** What people should hear of. Each is called at the moment it happens; the caller limits how often it is told. */
export interface SpoolEvents {
  /** Results that are lost, because spool or memory is full. */
  dropped(records: number): void;
  /** Damaged parts of the spool that were skipped. */
  corrupt(what: string): void;
  /** The disk takes nothing more (`error`), or takes it again (`undefined`). */
  disk(error: Error | undefined): void;
}

export interface SpoolOptions {
  disk: SpoolDisk;
  clock: Clock;
  events: SpoolEvents;
  limits?: SpoolLimits;
  /** Sees every record that is on disk at the start, oldest first, with the time of its file's last change. */
  visit?: (payload: Buffer, fileModifiedMs: number) => void;
}
