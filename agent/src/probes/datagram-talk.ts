import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { connectFault } from './connect-fault.js';
import { hostPort } from './connect-address.js';
import type { Deadline, Step } from './deadline.js';
import { quotePayload } from './payload.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';
import type { Talk } from './service-talk.js';

/** A packet can get lost: it is sent again after these shares of the remaining time. */
const RESENDS = [0.3, 0.6];
/** A closed port is reported within a round trip. Without an expected response, silence for this long counts as up. */
const REFUSAL_MS = 1_000;
const MOST_KEPT_BYTES = 64 * 1024;

/** Sends a packet to one address and waits for a response that contains the expected bytes, or for a refusal. */
export function talkByDatagram(
  ip: string,
  port: number,
  send: Buffer,
  expected: Buffer | null,
  deadline: Deadline,
): Promise<Talk> {
  return new Promise((resolve) => {
    new DatagramTalk(ip, port, send, expected, deadline, resolve).start();
  });
}

class DatagramTalk implements Step {
  readonly timeoutKey = 'answer_timeout';
  readonly #startedAt = performance.now();
  readonly #address: string;
  readonly #socket: Socket;
  readonly #timers: NodeJS.Timeout[] = [];
  #firstByteAt = 0;
  #received: Buffer = Buffer.alloc(0);
  #sent = false;
  #settled = false;

  constructor(
    private readonly ip: string,
    private readonly port: number,
    private readonly payload: Buffer,
    private readonly expected: Buffer | null,
    private readonly deadline: Deadline,
    private readonly resolve: (talk: Talk) => void,
  ) {
    this.#address = hostPort(ip, port);
    this.#socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
  }

  start(): void {
    this.deadline.enter(this);
    if (this.#settled) return;
    const socket = this.#socket;
    socket.on('message', this.#onMessage);
    socket.on('error', this.#onError);
    socket.once('connect', this.#onConnect);
    // On a connected socket the kernel drops packets of others and reports refusals. Without a callback, faults are error events.
    socket.connect(this.port, this.ip);
  }

  readonly #onConnect = (): void => {
    if (this.#settled) return;
    this.#send();
    const leftMs = this.deadline.endsAt - performance.now();
    for (const share of RESENDS) this.#timers.push(setTimeout(() => this.#send(), share * leftMs));
    if (this.expected === null)
      this.#timers.push(setTimeout(() => this.#settle(null), Math.min(REFUSAL_MS, leftMs / 2)));
  };

  timeoutValues(): FaultValues {
    return { address: this.#address };
  }

  cancel(fault: ProbeFault): void {
    const { seconds = 0 } = fault.values;
    const slow = fault.key === this.timeoutKey && this.#firstByteAt > 0;
    const shown = { received: quotePayload(this.#received), expected: quotePayload(this.expected ?? this.#received) };
    this.#settle(slow ? new ProbeFault('service_slow', { address: this.#address, seconds, ...shown }) : fault);
  }

  #send(): void {
    this.#socket.send(this.payload, (error) => {
      if (error) this.#onError(error);
      else this.#sent = true;
    });
  }

  readonly #onMessage = (message: Buffer): void => {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
    // A full buffer is not copied again, so that a flood is cheap.
    if (this.#received.length < MOST_KEPT_BYTES)
      this.#received = Buffer.concat([this.#received, message]).subarray(0, MOST_KEPT_BYTES);
    // An expected response fits into one packet.
    if (this.expected === null || message.includes(this.expected)) this.#settle(null);
  };

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    const code = error.code ?? 'unknown';
    if (!this.#sent && code !== 'ECONNREFUSED') this.#settle(connectFault(error, this.#address, true));
    else if (code === 'ECONNREFUSED') this.#settle(new ProbeFault('udp_refused', { address: this.#address }));
    else this.#settle(new ProbeFault('udp_unreachable', { address: this.#address, code }));
  };

  #settle(fault: ProbeFault | null): void {
    if (this.#settled) return;
    this.#settled = true;
    this.deadline.leave();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket.close();
    const now = performance.now();
    const answered = this.#firstByteAt > 0;
    this.resolve({
      fault,
      received: this.#received,
      firstByteUs: answered || fault ? Math.round(((this.#firstByteAt || now) - this.#startedAt) * 1_000) : 0,
      transferUs: answered ? Math.round((now - this.#firstByteAt) * 1_000) : 0,
    });
  }
}
