import { connect, type Socket } from 'node:net';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { connectFault } from './connect-fault.js';
import type { Deadline, Step } from './deadline.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';

export interface Connected {
  socket: Socket;
  /** `ip:port` of the peer. */
  address: string;
  us: number;
}

/** RFC 8305 §5: the delay before the next address is tried in parallel. */
const ATTEMPT_DELAY_MS = 250;
export const MOST_ADDRESSES = 10;

/** `address:port`, with an IPv6 address in brackets. */
export function hostPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The order of RFC 8305 §4: as resolved, with alternating address families. */
export function takeTurns(addresses: readonly string[]): string[] {
  const first = addresses.filter((address) => address.includes(':') === addresses[0]!.includes(':'));
  const second = addresses.filter((address) => address.includes(':') !== addresses[0]!.includes(':'));
  return first
    .flatMap((address, index) => [address, ...second.slice(index, index + 1)])
    .concat(second.slice(first.length));
}

/**
 * Connects to the first address that answers (happy eyeballs, RFC 8305). The policy is applied to every address before
 * anything is sent to it, and to the peer after connecting.
 * @param host used in the sentence only
 */
export function connectAddress(
  host: string,
  resolved: readonly string[],
  port: number,
  policy: EgressPolicy,
  deadline: Deadline,
): Promise<Connected | ProbeFault> {
  return new Promise((resolve) => {
    new ConnectRace(host, resolved, port, policy, deadline, resolve).start();
  });
}

class ConnectRace implements Step {
  readonly timeoutKey = 'connect_timeout';
  readonly #startedAt = performance.now();
  #addresses: readonly string[] = [];
  #next = 0;
  readonly #attempts: Socket[] = [];
  #fault: ProbeFault | null = null;
  #stagger: NodeJS.Timeout | undefined;
  #settled = false;

  constructor(
    private readonly host: string,
    private readonly resolved: readonly string[],
    private readonly port: number,
    private readonly policy: EgressPolicy,
    private readonly deadline: Deadline,
    private readonly resolve: (result: Connected | ProbeFault) => void,
  ) {}

  start(): void {
    const { host, resolved, policy } = this;
    const allowed = resolved.filter((address) => policy.allows(address));
    const refused = resolved[0];
    if (refused === undefined) this.resolve(new ProbeFault('dns_not_found', { host }));
    else if (allowed.length === 0)
      this.resolve(new ProbeFault('address_not_allowed', { host, why: policy.why(refused) }));
    else {
      this.#addresses = allowed.length === 1 ? allowed : takeTurns(allowed).slice(0, MOST_ADDRESSES);
      this.deadline.enter(this);
      if (!this.#settled) this.#attempt();
    }
  }

  timeoutValues(): FaultValues {
    return { address: this.#addresses.map((address) => hostPort(address, this.port)).join(', ') };
  }

  cancel(fault: ProbeFault): void {
    this.#settle(fault);
  }

  #attempt(): void {
    clearTimeout(this.#stagger);
    const address = this.#addresses[this.#next++]!;
    if (this.#next < this.#addresses.length) this.#stagger = setTimeout(() => this.#attempt(), ATTEMPT_DELAY_MS);
    const socket = connect({ host: address, port: this.port });
    this.#attempts.push(socket);
    socket.once('connect', () => this.#connected(socket, address));
    // The listener stays: an error after the end of the check must not end the process. After connecting, the next step reports errors.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Node adds the local address where the kernel refused the call itself.
      if (this.#leave(socket))
        this.#fail(connectFault(error, hostPort(address, this.port), error.message.includes(' - Local (')));
    });
  }

  #connected(socket: Socket, address: string): void {
    this.#leave(socket);
    const peer = socket.remoteAddress;
    if (peer === address || (peer !== undefined && this.policy.allows(peer))) {
      this.#settle({
        socket,
        address: hostPort(address, this.port),
        us: Math.round((performance.now() - this.#startedAt) * 1_000),
      });
      return;
    }
    socket.destroy();
    if (peer === undefined) this.#fail(new ProbeFault('connect_reset', { address: hostPort(address, this.port) }));
    else this.#fail(new ProbeFault('address_not_allowed', { host: this.host, why: this.policy.why(peer) }));
  }

  /** @returns false where the attempt had ended before */
  #leave(socket: Socket): boolean {
    const index = this.#attempts.indexOf(socket);
    if (index >= 0) this.#attempts.splice(index, 1);
    return index >= 0;
  }

  #fail(fault: ProbeFault): void {
    // The first fault of the target is reported; a fault of the agent only if there is no other.
    if (this.#fault === null || (this.#fault.isAgentFault && !fault.isAgentFault)) this.#fault = fault;
    if (this.#next < this.#addresses.length) this.#attempt();
    else if (this.#attempts.length === 0) this.#settle(this.#fault);
  }

  #settle(result: Connected | ProbeFault): void {
    this.#settled = true;
    clearTimeout(this.#stagger);
    this.deadline.leave();
    for (const socket of this.#attempts.splice(0)) socket.destroy();
    this.resolve(result);
  }
}
