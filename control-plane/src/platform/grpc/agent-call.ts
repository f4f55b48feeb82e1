import { Metadata, type ServerDuplexStream, type status } from '@grpc/grpc-js';
import { Fault, type FaultCode } from '@watchpost/shared/fault';
import type { AuthenticateCall } from './agent-credential.js';
import type { AgentIdentity, CredentialEnd, StreamEndReason } from './agent-gateway.js';
import type { GrpcMetrics, Rpc } from './grpc-metrics.js';
import { STATUS_OF_FAULT, STATUS_OF_STREAM_END } from './stream-status.js';
import { WireError } from '@watchpost/shared/wire/wire-error';

/** The trailer that names a result that can never be accepted. */
export const REFUSED_SEQUENCE_TRAILER = 'watchpost-refused-sequence';
/** The trailer that asks for a renewal. */
const CREDENTIAL_TRAILER = 'watchpost-credential';

/** A stream that does not take what was written for so long is ended, ms. */
const SEND_DEADLINE_MS = 60_000;

/** An agent, and until when what it has shown of itself holds; null: for good. */
export interface Caller {
  agent: AgentIdentity;
  expiresMs: number | null;
}

/**
 * One stream of an agent: writing with a deadline, one end, and one place that hears of it. `In` is what
 * the deserializer made of a frame; a WireError stands for a frame that is none.
 */
export class AgentCall<In, Out> {
  private over = false;
  private readonly onOver: (() => void)[] = [];
  private readonly pendingSends = new Set<() => void>();

  constructor(
    private readonly call: ServerDuplexStream<In | WireError, Out>,
    private readonly rpc: Rpc,
    private readonly metrics: GrpcMetrics,
  ) {
    metrics.streams.inc({ rpc });
    // Reading starts when somebody listens for data; that an early cancel is heard must not wait for it.
    call.once('cancelled', () => this.finish());
    call.once('close', () => this.finish());
  }

  get isOver(): boolean {
    return this.over;
  }

  whenOver(callback: () => void): void {
    if (this.over) callback();
    else this.onOver.push(callback);
  }

  /** Who is calling; undefined where the stream was refused and is over. */
  async authenticate(authenticate: AuthenticateCall): Promise<Caller | undefined> {
    let admission;
    try {
      admission = await authenticate(this.call);
    } catch (error) {
      if (error instanceof Fault) this.endWith(error);
      else this.end('unavailable', 'The credential cannot be checked now: try again.');
      return undefined;
    }
    if ('refused' in admission) this.end(admission.refused, admission.message);
    else if (!this.over) return admission;
    return undefined;
  }

  read(handle: (message: In) => void, onHalfClose: () => void): void {
    this.call.on('data', (message: In | WireError) => {
      if (this.over) return;
      if (message instanceof WireError) this.refuse(message);
      else handle(message);
    });
    this.call.once('end', () => {
      if (!this.over) onHalfClose();
    });
  }

  pause(): void {
    this.call.pause();
  }

  resume(): void {
    if (!this.over) this.call.resume();
  }

  /** Resolves when the message has left for the network, or when the stream is over. */
  send(message: Out): Promise<void> {
    if (this.over) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.end('slow', `Nothing was read for ${SEND_DEADLINE_MS / 1_000} s.`),
        SEND_DEADLINE_MS,
      );
      const done = () => {
        clearTimeout(timer);
        this.pendingSends.delete(done);
        resolve();
      };
      this.pendingSends.add(done);
      this.call.write(message, done);
    });
  }

  /** What was sent can never be accepted. */
  refuse(error: WireError | Fault): void {
    if (error instanceof Fault) this.endWith(error);
    else this.end('malformed', error.message, error.refusedSequence);
  }

  /** Ends with OK: both sides are through. */
  complete(): void {
    if (this.over) return;
    this.finish();
    this.call.end();
  }

  end(reason: StreamEndReason, message: string, refusedSequence?: number): void {
    const metadata = new Metadata();
    if (refusedSequence !== undefined) metadata.set(REFUSED_SEQUENCE_TRAILER, String(refusedSequence));
    if (reason === 'certificateExpired') metadata.set(CREDENTIAL_TRAILER, 'expired');
    this.finishWith(STATUS_OF_STREAM_END[reason], reason, message, metadata);
  }

  /** What the caller has shown of itself counts no longer. */
  disown(why: CredentialEnd): void {
    if (why === 'revoked') this.end('revoked', 'This agent was revoked.');
    else this.end('noCertificate', 'This certificate is not valid any more: the agent has enrolled again since.');
  }

  private endWith(fault: Fault): void {
    this.finishWith(STATUS_OF_FAULT[fault.code], fault.code, fault.message, new Metadata());
  }

  private finishWith(code: status, reason: StreamEndReason | FaultCode, details: string, metadata: Metadata): void {
    if (this.over) return;
    this.metrics.ended(this.rpc, reason);
    this.finish();
    this.call.emit('error', { code, details, metadata });
  }

  private finish(): void {
    if (this.over) return;
    this.over = true;
    this.metrics.streams.dec({ rpc: this.rpc });
    for (const done of [...this.pendingSends]) done();
    for (const callback of this.onOver) callback();
  }
}
