import { Metadata, type ServerDuplexStream, type status } from '@grpc/grpc-js';
import { Fault, type FaultCode } from '@watchpost/shared/fault';
import type { AuthenticateCall } from './agent-credential.js';
import type { AgentIdentity, CredentialEnd, StreamEndReason } from '../agents/agent-connection.js';
import type { StreamMetrics, Rpc } from './stream-metrics.js';
import { STATUS_OF_STREAM_END, statusOfFault } from './stream-status.js';
import { WireError } from '@watchpost/shared/wire/wire-error';

/** The trailer that names a result that is malformed, so that sending it again is useless. */
export const REFUSED_SEQUENCE_TRAILER = 'watchpost-refused-sequence';
const CREDENTIAL_TRAILER = 'watchpost-credential';

/** A stream whose peer reads nothing for this long is ended, ms. */
const SEND_DEADLINE_MS = 60_000;

/** An authenticated agent, and when its certificate expires; null for a token, which does not expire. */
export interface Caller {
  agent: AgentIdentity;
  expiresMs: number | null;
}

/**
 * One stream of an agent, with a deadline for writes and a single end. `In` is the decoded type of a frame; a malformed
 * frame arrives as a WireError.
 */
export class AgentCall<In, Out> {
  private over = false;
  private readonly onOver: (() => void)[] = [];
  private readonly pendingSends = new Set<() => void>();

  constructor(
    private readonly call: ServerDuplexStream<In | WireError, Out>,
    private readonly rpc: Rpc,
    private readonly metrics: StreamMetrics,
  ) {
    metrics.streams.inc({ rpc });
    // `cancelled` is emitted also before the first listener for data starts the reading.
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

  /** @returns the caller; undefined if the stream was refused or is over */
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

  /** Ends the stream because of a message that cannot be accepted. */
  refuse(error: WireError | Fault): void {
    if (error instanceof Fault) this.endWith(error);
    else this.end('malformed', error.message, error.refusedSequence);
  }

  /** Ends the stream with OK. */
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

  /** Ends the stream because the caller's credential is not valid any more. */
  endRevoked(reason: CredentialEnd): void {
    if (reason === 'revoked') this.end('revoked', 'This agent was revoked.');
    else this.end('noCertificate', 'This certificate is not valid any more: the agent has enrolled again since.');
  }

  private endWith(fault: Fault): void {
    this.finishWith(statusOfFault(fault.code), fault.code, fault.message, new Metadata());
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
