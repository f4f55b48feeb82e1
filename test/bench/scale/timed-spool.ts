import { AssignmentFile } from '@watchpost/agent/sync/assignment-file';
import { Spool } from '@watchpost/agent/spool/spool';
import { DEFAULT_SPOOL_LIMITS } from '@watchpost/agent/spool/spool-options';
import type { SpoolDisk } from '@watchpost/agent/spool/spool-disk';
import type { Clock } from '@watchpost/shared/clock';

export interface SpoolTimes {
  /** A result was acknowledged so long after its scheduled time. */
  acknowledged(afterDueMs: number, monitorKey: number, dueMs: number): void;
  /** A batch was acknowledged so long after it was sent. */
  answered(afterSendMs: number): void;
  dropped(results: number): void;
}

/** Nothing is written: hundreds of agents on one machine would measure its disk instead of the product. */
const noDisk: SpoolDisk = {
  names: () => [],
  modifiedMs: () => 0,
  open: () => 3,
  openToRead: () => 3,
  size: () => 0,
  read: () => 0,
  write: () => undefined,
  truncate: () => undefined,
  sync: () => Promise.resolve(),
  syncNow: () => undefined,
  close: () => undefined,
  remove: () => undefined,
};

/** An agent's spool that stays in memory and measures its acknowledgements. */
export class TimedSpool extends Spool {
  private readonly dues: { sequence: number; monitorKey: number; dueMs: number }[] = [];
  private readonly sent: { first: number; last: number; atMs: number }[] = [];

  constructor(
    clock: Clock,
    private readonly times: SpoolTimes,
  ) {
    super({
      disk: noDisk,
      clock,
      events: { dropped: (results) => times.dropped(results), corrupt: () => undefined, disk: () => undefined },
      limits: { ...DEFAULT_SPOOL_LIMITS, segmentBytes: 65_536, keepAckedMs: 1_000, memoryBytes: 32 * 1024 * 1024 },
    });
  }

  appendDue(payload: Uint8Array, urgent: boolean, monitorKey: number, dueMs: number): void {
    // The listener may read the record at once.
    const place = { sequence: 0, monitorKey, dueMs };
    this.dues.push(place);
    place.sequence = this.append(payload, urgent);
  }

  override read(after: number, maxRecords: number, maxBytes: number): ReturnType<Spool['read']> {
    const batch = super.read(after, maxRecords, maxBytes);
    if (!batch) return batch;
    // A batch that waits for more is read again, and a new stream begins at the acknowledged results.
    const first = batch.firstSequence;
    while (this.sent.length > 0 && this.sent.at(-1)!.first >= first) this.sent.pop();
    this.sent.push({ first, last: first + batch.payloads.length - 1, atMs: performance.now() });
    return batch;
  }

  override ack(through: number): void {
    const [nowMs, wallMs] = [performance.now(), Date.now()];
    while (this.sent[0] && this.sent[0].last <= through) this.times.answered(nowMs - this.sent.shift()!.atMs);
    let done = 0;
    for (; done < this.dues.length; done++) {
      const { sequence, monitorKey, dueMs } = this.dues[done]!;
      if (sequence > through || sequence === 0) break;
      this.times.acknowledged(wallMs - dueMs, monitorKey, dueMs);
    }
    if (done > 0) this.dues.splice(0, done);
    super.ack(through);
  }
}

/** The assignment of a simulated agent is not kept: it never restarts from disk. */
export class NoAssignmentFile extends AssignmentFile {
  constructor() {
    super('', '', '');
  }
  override get wantsWhole(): boolean {
    return false;
  }
  override load(): Buffer[] {
    return [];
  }
  override append(): void {}
  override replace(): Promise<void> {
    return Promise.resolve();
  }
  override remove(): void {}
}
