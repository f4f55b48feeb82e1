import type { BackoffOptions } from '@watchpost/shared/backoff';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import { retry } from '@watchpost/shared/retry';
import type { RefusedResult } from '../../results/index.js';
import type { ReceivedBatch } from '@watchpost/shared/wire/decode-result-batch';
import { WireError } from '@watchpost/shared/wire/wire-error';

export interface PipelineLimits {
  /** Reading stops while this many batches wait or are being ingested. */
  batches: number;
  /** Reading also stops at this many bytes of them. */
  bytes: number;
  /** Waiting batches are joined into one ingest up to this many results: ingest is set-based, so that more cost little. */
  joinedResults: number;
}

export const PIPELINE_LIMITS: PipelineLimits = { batches: 64, bytes: 8 * 1024 * 1024, joinedResults: 2_000 };
const BACKOFF: BackoffOptions = { initialMs: 100, maxMs: 5_000, factor: 2 };

/** A result that is acknowledged but not kept. */
export interface RefusedSequence {
  sequence: number;
  reason: RefusedResult['reason'];
}

export interface PipelinePorts {
  /**
   * @param onRest called when the next ingest need not wait for the rest of this one
   * @returns the results that are not kept
   */
  ingest(results: CheckResult[], onRest: () => void): Promise<readonly RefusedResult[]>;
  acknowledge(throughSequence: number, refused: readonly RefusedSequence[]): void;
  pause(): void;
  resume(): void;
  /** Called for results that can never be ingested. */
  refuse(error: Fault): void;
  /** Called when an ingest failed and is repeated. */
  onFailure(error: unknown, attempt: number): void;
  /** Called after each acknowledged batch, with its number of results and the time since its arrival. */
  onAcknowledged(results: number, tookMs: number): void;
}

interface Waiting extends ReceivedBatch {
  arrivedAt: number;
}

/**
 * Ingests the results of one stream in order, one ingest at a time, but for rests: few results that wait for locked rows hold
 * up no others. Batches that wait meanwhile are joined into the next ingest. A sequence number is acknowledged after its
 * commit and those of all before it. While the database is not available, nothing is
 * acknowledged, reading stops at the limits, and the stream stays open.
 */
export class ResultPipeline {
  private readonly waiting: Waiting[] = [];
  private held = { batches: 0, bytes: 0 };
  private nextSequence = 0;
  private spoolId: string | undefined;
  private paused = false;
  private readonly over = new AbortController();
  private running: Promise<void> | undefined;
  /** Resolves with whether all batches so far are acknowledged, when the last of them has ended. */
  private acknowledged = Promise.resolve(true);

  constructor(
    private readonly ports: PipelinePorts,
    private readonly limits: PipelineLimits = PIPELINE_LIMITS,
  ) {}

  /** @throws WireError if the sequence numbers are not greater than those of the batch before, or the spool id changes */
  push(batch: ReceivedBatch): void {
    if (this.isClosed) return;
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

  /** Resolves when all pushed batches are acknowledged, or the pipeline is closed. */
  async idle(): Promise<void> {
    do {
      await this.running;
      await this.acknowledged;
    } while (this.running);
  }

  /** Drops waiting batches. A running ingest is not acknowledged. */
  close(): void {
    this.over.abort();
    this.waiting.length = 0;
  }

  private async run(): Promise<void> {
    // Batches that arrive in the same turn of the event loop are ingested together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0 && !this.isClosed) {
      const batches = this.takeJoined();
      const before = this.acknowledged;
      const goesOn = await new Promise<boolean>((resolve, reject) => {
        this.acknowledged = this.ingestBatches(batches, before, () => resolve(true));
        this.acknowledged.then(resolve, reject);
      });
      if (!goesOn) break;
    }
    this.running = undefined;
  }

  /** @returns whether they are acknowledged, after those before them */
  private async ingestBatches(
    batches: readonly Waiting[],
    before: Promise<boolean>,
    onRest: () => void,
  ): Promise<boolean> {
    const results = batches.length === 1 ? batches[0]!.results : batches.flatMap((batch) => batch.results);
    const refused = await this.ingest(results, onRest);
    if (!(await before) || !refused) return false;
    this.ports.acknowledge(batches.at(-1)!.lastSequence, sequencesOf(batches, refused));
    for (const batch of batches) {
      this.hold(-1, -batch.size);
      this.ports.onAcknowledged(batch.results.length, performance.now() - batch.arrivedAt);
    }
    return true;
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

  /** @returns the refused results, once the others are committed; undefined if the stream is over */
  private async ingest(results: CheckResult[], onRest: () => void): Promise<readonly RefusedResult[] | undefined> {
    try {
      const refused = await retry(() => this.ports.ingest(results, onRest), {
        backoff: BACKOFF,
        signal: this.over.signal,
        onFailure: (error, attempt) => {
          if (isUnusable(error)) throw error;
          this.ports.onFailure(error, attempt);
        },
      });
      return this.isClosed ? undefined : refused;
    } catch (error) {
      if (isUnusable(error)) this.ports.refuse(error);
      else if (!this.isClosed) throw error;
      return undefined;
    }
  }

  private get isClosed(): boolean {
    return this.over.signal.aborted;
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

/** Such results are refused each time. */
function isUnusable(error: unknown): error is Fault {
  return error instanceof Fault && error.code === 'validation_failed';
}

/** @param refused positions among the joined results of these batches */
function sequencesOf(batches: readonly ReceivedBatch[], refused: readonly RefusedResult[]): RefusedSequence[] {
  if (refused.length === 0) return [];
  const sequences = batches.flatMap(({ firstSequence, results }) => results.map((_, index) => firstSequence + index));
  return refused.map(({ index, reason }) => ({ sequence: sequences[index]!, reason }));
}
