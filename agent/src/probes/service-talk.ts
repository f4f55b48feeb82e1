import type { Socket } from 'node:net';
import type { Deadline, Step } from './deadline.js';
import { quotePayload } from './payload.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';
import { MOST_RECEIVED_BYTES, ReceivedData } from './received-data.js';

export interface Talk {
  fault: ProbeFault | null;
  received: Buffer;
  firstByteUs: number;
  transferUs: number;
}

/** Sends bytes on a connection, reads until the expected ones have arrived, and closes the connection. */
export function talk(
  socket: Socket,
  address: string,
  send: Buffer | null,
  expected: Buffer | null,
  deadline: Deadline,
): Promise<Talk> {
  return new Promise((resolve) => {
    new ServiceTalk(socket, address, expected, deadline, resolve).start(send);
  });
}

class ServiceTalk implements Step {
  readonly timeoutKey = 'answer_timeout';
  readonly #startedAt = performance.now();
  #firstByteAt = 0;
  readonly #received: ReceivedData;
  #settled = false;

  constructor(
    private readonly socket: Socket,
    private readonly address: string,
    private readonly expected: Buffer | null,
    private readonly deadline: Deadline,
    private readonly resolve: (talk: Talk) => void,
  ) {
    this.#received = new ReceivedData(expected);
  }

  start(send: Buffer | null): void {
    const { socket } = this;
    this.deadline.enter(this);
    if (this.#settled) return;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    if (send === null) this.#sent();
    else socket.write(send, (error) => error ?? this.#sent());
  }

  timeoutValues(): FaultValues {
    return { address: this.address };
  }

  cancel(fault: ProbeFault): void {
    const { seconds = 0 } = fault.values;
    const slow = fault.key === this.timeoutKey && this.#firstByteAt > 0;
    this.#settle(slow ? new ProbeFault('service_slow', { address: this.address, seconds, ...this.#shown() }) : fault);
  }

  /** Without an expectation, a service that accepts the data is up. */
  #sent(): void {
    if (this.expected === null) this.#settle(null);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
    const isFound = this.#received.add(chunk);
    if (this.expected === null) return;
    if (isFound) this.#settle(null);
    else if (this.#received.bytes.length >= MOST_RECEIVED_BYTES) this.#settle(this.#unexpected());
  };

  readonly #onEnd = (): void => {
    const silent = this.#received.bytes.length === 0;
    this.#settle(silent ? new ProbeFault('service_closed', { address: this.address }) : this.#unexpected());
  };

  readonly #onError = (): void => this.#settle(new ProbeFault('service_reset', { address: this.address }));

  #unexpected(): ProbeFault {
    return new ProbeFault('service_unexpected', { address: this.address, ...this.#shown() });
  }

  #shown(): FaultValues {
    const { bytes } = this.#received;
    return { received: quotePayload(bytes), expected: quotePayload(this.expected ?? bytes) };
  }

  #settle(fault: ProbeFault | null): void {
    if (this.#settled) return;
    this.#settled = true;
    this.deadline.leave();
    const now = performance.now();
    const firstByteAt = this.#firstByteAt || now;
    // Sent data must arrive: only a failed check resets the connection.
    if (fault === null) this.socket.destroySoon();
    else this.socket.destroy();
    this.resolve({
      fault,
      received: this.#received.bytes,
      firstByteUs: this.expected === null ? 0 : Math.round((firstByteAt - this.#startedAt) * 1_000),
      transferUs: this.#firstByteAt === 0 ? 0 : Math.round((now - firstByteAt) * 1_000),
    });
  }
}
