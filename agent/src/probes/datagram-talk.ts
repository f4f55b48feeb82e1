import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { connectFault } from './connect-fault.js';
import { hostPort } from './connect-address.js';
import type { Deadline, Step } from './deadline.js';
import { quotePayload } from './payload.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';
import { ReceivedData } from './received-data.js';
import type { Talk } from './service-talk.js';

/** A packet can get lost: it is sent again after these shares of the remaining time. */
const RESENDS = [0.3, 0.6];
/** A closed port is reported within a round trip. Without an expected response, silence for this long counts as up. */
const REFUSAL_MS = 1_000;

/** The result of an exchange with one of the addresses. */
export interface DatagramTalked extends Talk {
  /** `ip:port`. */
  address: string;
  /** The faults of addresses that were tried before, as sentences; null: there were none. */
  warnings: string[] | null;
}

/**
 * Sends a packet and waits for a response that contains the expected bytes, or for a refusal. After a fault of one address
 * the next one is tried; if a response is expected, also after its share of the remaining time. An address that was tried
 * can still answer until the deadline.
 */
export function talkByDatagram(
  ips: readonly string[],
  port: number,
  send: Buffer,
  expected: Buffer | null,
  deadline: Deadline,
): Promise<DatagramTalked> {
  return new Promise((resolve) => {
    new DatagramTalks(ips, port, send, expected, deadline, resolve).start();
  });
}

class DatagramTalks implements Step {
  readonly timeoutKey = 'answer_timeout';
  readonly #open = new Set<DatagramTalk>();
  #failed: DatagramTalked | null = null;
  #warnings: string[] | null = null;
  #next = 0;
  #stagger: NodeJS.Timeout | undefined;
  #settled = false;

  constructor(
    private readonly ips: readonly string[],
    private readonly port: number,
    private readonly payload: Buffer,
    private readonly expected: Buffer | null,
    private readonly deadline: Deadline,
    private readonly resolve: (talked: DatagramTalked) => void,
  ) {}

  start(): void {
    this.deadline.enter(this);
    if (!this.#settled) this.#attempt();
  }

  timeoutValues(): FaultValues {
    return { address: [...this.#open].map(({ address }) => address).join(', ') };
  }

  cancel(fault: ProbeFault): void {
    const ended = [...this.#open].map((talk) => talk.cancel(fault));
    const address = hostPort(this.ips[0]!, this.port);
    this.#settle(
      ended.find(({ received }) => received.length > 0) ??
        ended[0] ?? { fault, received: Buffer.alloc(0), firstByteUs: 0, transferUs: 0, address, warnings: null },
    );
  }

  #attempt(): void {
    clearTimeout(this.#stagger);
    const { expected, deadline } = this;
    const leftMs = deadline.endsAt - performance.now();
    const untried = this.ips.length - this.#next;
    if (expected !== null && untried > 1) this.#stagger = setTimeout(() => this.#attempt(), leftMs / untried);
    const ip = this.ips[this.#next++]!;
    const talk = new DatagramTalk(ip, this.port, this.payload, expected, deadline, (talked) => {
      this.#open.delete(talk);
      this.#ended(talked);
    });
    this.#open.add(talk);
    talk.start();
  }

  #ended(talked: DatagramTalked): void {
    if (talked.fault === null) return this.#settle({ ...talked, warnings: this.#warnings });
    if (!talked.fault.isAgentFault) (this.#warnings ??= []).push(talked.fault.sentence);
    // The first fault of the target is reported; a fault of the agent only if there is no other.
    if (!this.#failed || (this.#failed.fault!.isAgentFault && !talked.fault.isAgentFault)) this.#failed = talked;
    if (this.#next < this.ips.length) this.#attempt();
    else if (this.#open.size === 0) this.#settle(this.#failed);
  }

  #settle(talked: DatagramTalked): void {
    this.#settled = true;
    clearTimeout(this.#stagger);
    this.deadline.leave();
    for (const talk of this.#open) talk.close();
    this.resolve(talked);
  }
}

class DatagramTalk {
  readonly address: string;
  readonly #startedAt = performance.now();
  readonly #socket: Socket;
  readonly #timers: NodeJS.Timeout[] = [];
  #firstByteAt = 0;
  readonly #received: ReceivedData;
  #sent = false;
  #closed = false;

  constructor(
    private readonly ip: string,
    private readonly port: number,
    private readonly payload: Buffer,
    private readonly expected: Buffer | null,
    private readonly deadline: Deadline,
    private readonly onEnd: (talked: DatagramTalked) => void,
  ) {
    this.address = hostPort(ip, port);
    this.#received = new ReceivedData(expected);
    this.#socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
  }

  start(): void {
    const socket = this.#socket;
    socket.on('message', this.#onMessage);
    socket.on('error', this.#onError);
    socket.once('connect', this.#onConnect);
    // On a connected socket the kernel drops packets of others and reports refusals. Without a callback, faults are error events.
    socket.connect(this.port, this.ip);
  }

  readonly #onConnect = (): void => {
    if (this.#closed) return;
    this.#send();
    const leftMs = this.deadline.endsAt - performance.now();
    for (const share of RESENDS) this.#timers.push(setTimeout(() => this.#send(), share * leftMs));
    if (this.expected === null)
      this.#timers.push(setTimeout(() => this.#settle(null), Math.min(REFUSAL_MS, leftMs / 2)));
  };

  /** Ends the exchange at a timeout or when the agent stops. */
  cancel(fault: ProbeFault): DatagramTalked {
    const { seconds = 0 } = fault.values;
    this.close();
    const isSlow = fault.key === 'answer_timeout' && this.#firstByteAt > 0;
    if (!isSlow) return this.#talked(fault);
    const { bytes } = this.#received;
    const shown = { received: quotePayload(bytes), expected: quotePayload(this.expected ?? bytes) };
    return this.#talked(new ProbeFault('service_slow', { address: this.address, seconds, ...shown }));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket.close();
  }

  #send(): void {
    this.#socket.send(this.payload, (error) => {
      if (error) this.#onError(error);
      else this.#sent = true;
    });
  }

  readonly #onMessage = (message: Buffer): void => {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
    const isFound = this.#received.add(message);
    if (this.expected === null || isFound) this.#settle(null);
  };

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    const code = error.code ?? 'unknown';
    if (!this.#sent && code !== 'ECONNREFUSED') this.#settle(connectFault(error, this.address, true));
    else if (code === 'ECONNREFUSED') this.#settle(new ProbeFault('udp_refused', { address: this.address }));
    else this.#settle(new ProbeFault('udp_unreachable', { address: this.address, code }));
  };

  #settle(fault: ProbeFault | null): void {
    if (this.#closed) return;
    this.close();
    this.onEnd(this.#talked(fault));
  }

  #talked(fault: ProbeFault | null): DatagramTalked {
    const now = performance.now();
    const answered = this.#firstByteAt > 0;
    return {
      fault,
      address: this.address,
      warnings: null,
      received: this.#received.bytes,
      firstByteUs: answered || fault ? Math.round(((this.#firstByteAt || now) - this.#startedAt) * 1_000) : 0,
      transferUs: answered ? Math.round((now - this.#firstByteAt) * 1_000) : 0,
    };
  }
}
