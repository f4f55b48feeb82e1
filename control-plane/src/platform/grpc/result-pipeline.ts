import { backoffMs, type BackoffOptions } from '@watchpost/shared/backoff';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { RefusedResult } from './agent-gateway.js';
import type { ReceivedBatch } from '@watchpost/shared/wire/decode-result-batch';
import { WireError } from '@watchpost/shared/wire/wire-error';

export interface PipelineLimits {
  /** Reading stops while this many batches wait or are being ingested. */
  batches: number;
  /** … or this many bytes of them. */
  bytes: number;
  /** Waiting batches are joined into one ingest up to this many results: ingest is set-based, so more cost little more. */
  joinedResults: number;
}

export const PIPELINE_LIMITS: PipelineLimits = { batches: 64, bytes: 8 * 1024 * 1024, joinedResults: 2_000 };
const BACKOFF: BackoffOptions = { initialMs: 100, maxMs: 5_000, factor: 2 };

/** A result that is acknowledged and not kept. */
export interface RefusedSequence {
  sequence: number;
  reason: RefusedResult['reason'];
}

export interface PipelinePorts {
  /** @returns those of them that are not kept */
  ingest(results: CheckResult[]): Promise<readonly RefusedResult[]>;
  acknowledge(throughSequence: number, refused: readonly RefusedSequence[]): void;
  pause(): void;
  resume(): void;
  /** These results can never be ingested. */
  refuse(error: Fault): void;
  /** An ingest failed and is tried again. */
  onFailure(error: unknown, attempt: number): void;
  /** A batch of so many results was acknowledged so long after it came. */
  onAcknowledged(results: number, tookMs: number): void;
}

interface Waiting extends ReceivedBatch {
  arrivedAt: number;
}

/**
 * The results of one stream on their way into the database: in order, one ingest at a time, whatever
 * waits meanwhile joined into the next one. A sequence number is acknowledged after its commit and not before.
 * While the database is away nothing is acknowledged, nothing more is read, and the stream stays.
 */
export class ResultPipeline {
  private readonly waiting: Waiting[] = [];
  private held = { batches: 0, bytes: 0 };
  private nextSequence = 0;
  private spoolId: string | undefined;
  private paused = false;
  private closed = false;
  private running: Promise<void> | undefined;
  private wakeBackoff: (() => void) | undefined;

  constructor(
    private readonly ports: PipelinePorts,
    private readonly limits: PipelineLimits = PIPELINE_LIMITS,
  ) {}

  /** @throws WireError where the sequence numbers do not go on from the batch before */
  push(batch: ReceivedBatch): void {
    if (this.closed) return;
    if (batch.firstSequence < this.nextSequence) {
      throw new WireError(`sequence numbers fall: ${batch.firstSequence} after ${this.nextSequence - 1}`);
    }
    if (this.spoolId !== undefined && batch.spoolId !== this.spoolId)
      throw new WireError('spool_id changes within a stream');
    this.spoolId = batch.spoolId;
    this.nextSequence = batch.lastSequence + 1;
    this.waiting.push({ ...batch, arrivedAt: performance.now() });
    this.hold(1, batch.size);
    this.running ??= this.run();
  }

  /** Resolves when everything that was pushed is acknowledged, or the pipeline is closed. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  /** Drops what waits; an ingest that is under way ends unacknowledged. */
  close(): void {
    this.closed = true;
    this.waiting.length = 0;
    this.wakeBackoff?.();
  }

  private async run(): Promise<void> {
    // A turn of the loop first: what arrived together is ingested together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0 && !this.closed) {
      const batches = this.takeJoined();
      const results = batches.length === 1 ? batches[0]!.results : batches.flatMap((batch) => batch.results);
      const refused = await this.ingest(results);
      if (!refused) break;
      this.ports.acknowledge(batches.at(-1)!.lastSequence, sequencesOf(batches, refused));
      for (const batch of batches) {
        this.hold(-1, -batch.size);
        this.ports.onAcknowledged(batch.results.length, performance.now() - batch.arrivedAt);
      }
    }
    this.running = undefined;
  }

  private takeJoined(): Waiting[] {
    let count = 0;
    let results = 0;
    while (count < this.waiting.length) {
      results += this.waiting[count]!.results.length;
      if (count > 0 && results > this.limits.joinedResults) break;
      count++;
    }
    return this.waiting.splice(0, count);
  }

  /** @returns what was refused, once the rest is committed; undefined where the stream is over */
  private async ingest(results: CheckResult[]): Promise<readonly RefusedResult[] | undefined> {
    for (let attempt = 0; !this.closed; attempt++) {
      try {
        const refused = await this.ports.ingest(results);
        return this.closed ? undefined : refused;
      } catch (error) {
        if (error instanceof Fault && error.code === 'validation_failed') {
          this.ports.refuse(error);
          return undefined;
        }
        this.ports.onFailure(error, attempt);
        await this.backOff(backoffMs(attempt, Math.random(), BACKOFF));
      }
    }
    return undefined;
  }

  private async backOff(ms: number): Promise<void> {
    if (this.closed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeBackoff = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private hold(batches: number, bytes: number): void {
    this.held.batches += batches;
    this.held.bytes += bytes;
    const full = this.held.batches >= this.limits.batches || this.held.bytes >= this.limits.bytes;
    if (full && !this.paused) {
      this.paused = true;
      this.ports.pause();
    } else if (
      this.paused &&
      this.held.batches <= this.limits.batches / 2 &&
      this.held.bytes <= this.limits.bytes / 2
    ) {
      this.paused = false;
      this.ports.resume();
    }
  }
}

/** @param refused positions among the results of all these batches, one after the other */
function sequencesOf(batches: readonly ReceivedBatch[], refused: readonly RefusedResult[]): RefusedSequence[] {
  if (refused.length === 0) return [];
  const sequences = batches.flatMap(({ firstSequence, results }) => results.map((_, index) => firstSequence + index));
  return refused.map(({ index, reason }) => ({ sequence: sequences[index]!, reason }));
}
