import { connect, type Socket } from 'node:net';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { MOST_ADDRESSES } from '@watchpost/shared/outcome';
import { connectFault } from './connect-fault.js';
import type { Deadline, Step } from './deadline.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';

export interface Connected {
  socket: Socket;
  /** `ip:port` of the peer. */
  address: string;
  us: number;
  /** The faults of addresses that were tried before, as sentences; null: there were none. */
  warnings: string[] | null;
}

/** RFC 8305 §5: the delay before the next address is tried in parallel. */
const ATTEMPT_DELAY_MS = 250;

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

/** The addresses that may be tried, in their order. @returns a fault where there are none */
export function allowedOf(host: string, resolved: readonly string[], policy: EgressPolicy): string[] | ProbeFault {
  const [first] = resolved;
  if (first === undefined) return new ProbeFault('dns_not_found', { host });
  const allowed = resolved.filter((address) => policy.allows(address));
  if (allowed.length === 0) return new ProbeFault('address_not_allowed', { host, why: policy.why(first) });
  return allowed.length === 1 ? allowed : takeTurns(allowed).slice(0, MOST_ADDRESSES);
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
  /** Those that are open, in the order in which they began. */
  readonly #attempts: { socket: Socket; address: string }[] = [];
  /** They are about failed attempts, except where the agent was at fault. */
  #warnings: string[] | null = null;
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
    const allowed = allowedOf(host, resolved, policy);
    if (allowed instanceof ProbeFault) this.resolve(allowed);
    else {
      this.#addresses = allowed;
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
    this.#attempts.push({ socket, address });
    // Not `once`: removing a listener turns those of the socket into a slow object.
    socket.on('connect', () => this.#connected(socket, address));
    // The listener stays: an error after the end of the check must not end the process. After connecting, the next step reports errors.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Node adds the local address where the kernel refused the call itself.
      if (this.#leave(socket) >= 0)
        this.#fail(connectFault(error, hostPort(address, this.port), error.message.includes(' - Local (')));
    });
  }

  #connected(socket: Socket, address: string): void {
    const before = this.#leave(socket);
    const peer = socket.remoteAddress;
    if (peer === address || (peer !== undefined && this.policy.allows(peer))) {
      this.#settle({
        socket,
        address: hostPort(address, this.port),
        us: Math.round((performance.now() - this.#startedAt) * 1_000),
        warnings: before > 0 ? [...(this.#warnings ?? []), ...this.#slower(address, before)] : this.#warnings,
      });
      return;
    }
    socket.destroy();
    if (peer === undefined) this.#fail(new ProbeFault('connect_reset', { address: hostPort(address, this.port) }));
    else this.#fail(new ProbeFault('address_not_allowed', { host: this.host, why: this.policy.why(peer) }));
  }

  /** @returns how many of the open attempts began before it; -1 where it had ended before */
  #leave(socket: Socket): number {
    const index = this.#attempts.findIndex((attempt) => attempt.socket === socket);
    if (index >= 0) this.#attempts.splice(index, 1);
    return index;
  }

  /** The sentences about attempts that began earlier than the one that succeeded. */
  #slower(address: string, before: number): string[] {
    const used = hostPort(address, this.port);
    return this.#attempts
      .slice(0, before)
      .map((one) => `${hostPort(one.address, this.port)} had not answered when ${used}, which was tried later, did.`);
  }

  #fail(fault: ProbeFault): void {
    if (!fault.isAgentFault) (this.#warnings ??= []).push(fault.sentence);
    // The first fault of the target is reported; a fault of the agent only if there is no other.
    if (this.#fault === null || (this.#fault.isAgentFault && !fault.isAgentFault)) this.#fault = fault;
    if (this.#next < this.#addresses.length) this.#attempt();
    else if (this.#attempts.length === 0) this.#settle(this.#fault);
  }

  #settle(result: Connected | ProbeFault): void {
    this.#settled = true;
    clearTimeout(this.#stagger);
    this.deadline.leave();
    for (const { socket } of this.#attempts.splice(0)) socket.destroy();
    this.resolve(result);
  }
}
