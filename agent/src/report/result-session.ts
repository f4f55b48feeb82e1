import { status, type ClientDuplexStream, type StatusObject } from '@grpc/grpc-js';
import {
  AgentServiceService,
  type RefusedResult,
  type ResultAck,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Spool } from '../spool/spool.js';
import type { ControlPlaneLink } from '../sync/control-plane-link.js';
import type { SessionEnd } from '../sync/decide-retry.js';
import { encodeResultBatch, type EncodedBatch } from '@watchpost/shared/wire/encode-result-batch';

export interface ResultSessionOptions {
  link: ControlPlaneLink;
  spool: Spool;
  maxBatchResults: number;
  maxInFlight: number;
  /** Ends the stream when everything sent is acknowledged. */
  windDown: AbortSignal;
  onConnected(): void;
  /** Results were acknowledged and are not stored. */
  onNotStored(refused: readonly RefusedResult[]): void;
}

export interface ResultSessionEnd extends SessionEnd {
  /** A result can never be accepted: its number, where the control plane named it. */
  refused: { sequence: number | undefined } | undefined;
  /** The first number of the oldest batch without an acknowledgement. */
  oldestInFlight: number | undefined;
}

/**
 * Results within this time of the last batch share the next one: a message for each result costs more than the bookkeeping
 * of the checks, and a batch costs the control plane and its database more than its content. Urgent results are sent at
 * once, with all that have gathered.
 */
const LINGER_MS = 2_000;
const URGENT_LINGER_MS = 10;
/** A batch of this size is sent at once; thousands of results at a time would delay running checks. */
const ENOUGH = 250;
const MAX_BATCH_BYTES = 512 * 1024;
const GOODBYE_WITHIN_MS = 5_000;
const HEALTHY_AFTER_MS = 10_000;
const REFUSED_SEQUENCE = 'watchpost-refused-sequence';

/** Runs one StreamResults stream, which sends the unacknowledged results of the spool in order. Never rejects. */
export function runResultSession(options: ResultSessionOptions): Promise<ResultSessionEnd> {
  return new Promise((resolve) => new ResultSession(options, resolve));
}

class ResultSession {
  private readonly call: ClientDuplexStream<EncodedBatch, ResultAck>;
  private readonly startedAt = performance.now();
  private cursor: number;
  private readonly inFlight: { first: number; last: number }[] = [];
  private lastSentAt = -Infinity;
  private blocked = false;
  private urgent = false;
  /** Results since the last batch. */
  private gathered = 0;
  private lingering: NodeJS.Timeout | undefined;
  private goodbye: NodeJS.Timeout | undefined;
  private acknowledged = false;

  constructor(
    private readonly options: ResultSessionOptions,
    private readonly resolve: (end: ResultSessionEnd) => void,
  ) {
    const { link, spool, windDown } = options;
    const { path, responseDeserialize } = AgentServiceService.streamResults;
    this.cursor = spool.ackedSequence;
    this.call = link.client().makeBidiStreamRequest(path, encodeResultBatch, responseDeserialize, link.metadata());
    this.call.on('metadata', () => options.onConnected());
    this.call.on('data', (ack: ResultAck) => {
      if (ack.refused.length > 0) options.onNotStored(ack.refused);
      this.take(Number(ack.throughSequence));
    });
    this.call.on('drain', () => {
      this.blocked = false;
      this.pump();
    });
    // An error is also reported by the status.
    this.call.on('error', () => {});
    this.call.on('end', () => this.call.end());
    this.call.on('status', (end: StatusObject) => this.finish(end));
    spool.onAppend((urgent) => this.pump(urgent));
    windDown.addEventListener('abort', this.onWindDown, { once: true });
    if (windDown.aborted) this.onWindDown();
    else this.pump();
  }

  private pump(urgent = false): void {
    this.urgent ||= urgent;
    if (this.lingering && !urgent && ++this.gathered < ENOUGH) return;
    clearTimeout(this.lingering);
    this.lingering = undefined;
    const { spool, maxBatchResults, maxInFlight, windDown } = this.options;
    while (!this.blocked && !windDown.aborted && this.inFlight.length < maxInFlight) {
      const batch = spool.read(this.cursor, maxBatchResults, MAX_BATCH_BYTES);
      if (!batch) {
        this.urgent = false;
        return;
      }
      const lingerMs = (this.urgent ? URGENT_LINGER_MS : LINGER_MS) - (performance.now() - this.lastSentAt);
      if (lingerMs > 0 && batch.payloads.length < Math.min(maxBatchResults, ENOUGH)) return this.linger(lingerMs);
      this.lastSentAt = performance.now();
      this.gathered = 0;
      this.cursor = batch.firstSequence + batch.payloads.length - 1;
      this.inFlight.push({ first: batch.firstSequence, last: this.cursor });
      this.blocked = !this.call.write({ ...batch, spoolId: spool.spoolId });
    }
  }

  private linger(ms: number): void {
    this.lingering = setTimeout(() => {
      this.lingering = undefined;
      this.pump();
    }, ms);
  }

  private take(through: number): void {
    if (!this.acknowledged) this.options.onConnected();
    this.acknowledged = true;
    // A result that was never sent cannot be acknowledged.
    this.options.spool.ack(Math.min(through, this.cursor));
    while (this.inFlight[0] && this.inFlight[0].last <= through) this.inFlight.shift();
    if (this.options.windDown.aborted) this.endWhenDone();
    else this.pump();
  }

  private readonly onWindDown = () => {
    this.goodbye = setTimeout(() => this.call.cancel(), GOODBYE_WITHIN_MS);
    this.endWhenDone();
  };

  private endWhenDone(): void {
    if (this.inFlight.length === 0) this.call.end();
  }

  private finish(end: StatusObject): void {
    const { code, details } = this.options.link.readEnd(end);
    clearTimeout(this.lingering);
    clearTimeout(this.goodbye);
    this.options.spool.onAppend(() => {});
    this.options.windDown.removeEventListener('abort', this.onWindDown);
    const named = end.metadata.get(REFUSED_SEQUENCE)[0];
    const sequence = named === undefined ? undefined : Number(named);
    const wasSent = sequence !== undefined && sequence > this.options.spool.ackedSequence && sequence <= this.cursor;
    const healthy = this.acknowledged || performance.now() - this.startedAt >= HEALTHY_AFTER_MS;
    this.resolve({
      code,
      details,
      healthy,
      drained: this.options.windDown.aborted,
      oldestInFlight: this.inFlight[0]?.first,
      refused: code === status.INVALID_ARGUMENT ? { sequence: wasSent ? sequence : undefined } : undefined,
    });
  }
}
