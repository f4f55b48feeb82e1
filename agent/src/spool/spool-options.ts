import type { Clock } from '@watchpost/shared/clock';
import type { SpoolDisk } from './spool-disk.js';

export interface SpoolLimits {
  maxBytes: number;
  maxRecords: number;
  segmentBytes: number;
  /** The size of the records in memory: the newest ones, and those that could not be written. */
  memoryBytes: number;
  /**
   * How long acknowledged records stay: a restarted agent knows by them which scheduled times it completed, and sends them
   * again where the control plane's database may have lost them.
   */
  keepAckedMs: number;
}

export const DEFAULT_SPOOL_LIMITS: SpoolLimits = {
  maxBytes: 512 * 1024 * 1024,
  maxRecords: 2_000_000,
  segmentBytes: 2 * 1024 * 1024,
  memoryBytes: 4 * 1024 * 1024,
  keepAckedMs: 75_000,
};

/** Failures of the spool, at the time at which they happen. */
export interface SpoolEvents {
  /** Results were lost because spool or memory is full. */
  dropped(records: number): void;
  /** A damaged part of the spool was skipped. */
  corrupt(what: string): void;
  /** A write or a removal failed (`error`), or the disk works again (`undefined`). */
  disk(error: Error | undefined): void;
}

export interface SpoolOptions {
  disk: SpoolDisk;
  clock: Clock;
  events: SpoolEvents;
  limits?: SpoolLimits;
  /** Called at the start for every record on disk, oldest first, with the time of its file's last change. */
  visit?: (payload: Buffer, fileModifiedMs: number) => void;
}
