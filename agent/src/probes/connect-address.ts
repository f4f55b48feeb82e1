import { connect, isIPv6, type Socket } from 'node:net';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { connectFault } from './connect-fault.js';
import type { Deadline } from './deadline.js';
import { ProbeFault } from './probe-fault.js';

export interface Connected {
  socket: Socket;
  /** `ip:port`, as really connected to. */
  address: string;
  us: number;
}

/** RFC 8305 §5: the wait before the next address is tried beside one that has not answered. */
const ATTEMPT_DELAY_MS = 250;
const MOST_ADDRESSES = 10;

/** An address and port as people write them: IPv6 in brackets. */
export function hostPort(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The order of RFC 8305 §4: as resolved, with the families taking turns. */
export function takeTurns(addresses: readonly string[]): string[] {
  const first = addresses.filter((address) => isIPv6(address) === isIPv6(addresses[0]!));
  const second = addresses.filter((address) => isIPv6(address) !== isIPv6(addresses[0]!));
  return first.flatMap((address, index) => [address, ...second.slice(index, index + 1)]).concat(second.slice(first.length));
}

/**
 * Connects to the first of the addresses that answers (happy eyeballs, RFC 8305). Every address is judged
 * by the policy before anything is sent to it, and the peer again once connected.
 * @param host for the sentence only
 */
export function connectAddress(
  host: string, resolved: readonly string[], port: number, policy: EgressPolicy, deadline: Deadline,
): Promise<Connected | ProbeFault> {
  const allowed = resolved.length === 1 && policy.allows(resolved[0]!) ? resolved : resolved.filter((address) => policy.allows(address));
  if (allowed.length === 0) {
    const refused = resolved[0];
    return Promise.resolve(refused === undefined ? new ProbeFault('dns_not_found', { host }) : new ProbeFault('address_not_allowed', { host, why: policy.why(refused) }));
  }
  const addresses = allowed.length === 1 ? allowed : takeTurns(allowed).slice(0, MOST_ADDRESSES);

  return new Promise((resolve) => {
    const startedAt = performance.now();
    const attempts = new Set<Socket>();
    const faults: ProbeFault[] = [];
    let next = 0;
    let settled = false;
    let stagger: NodeJS.Timeout | undefined;

    const settle = (result: Connected | ProbeFault): void => {
      settled = true;
      clearTimeout(stagger);
      deadline.leave();
      for (const socket of attempts) socket.destroy();
      resolve(result);
    };
    const attempt = (): void => {
      clearTimeout(stagger);
      const address = addresses[next++]!;
      if (next < addresses.length) stagger = setTimeout(attempt, ATTEMPT_DELAY_MS);
      const socket = connect({ host: address, port });
      attempts.add(socket);
      const where = hostPort(address, port);
      socket.once('connect', () => {
        attempts.delete(socket);
        const peer = socket.remoteAddress;
        if (peer === address || (peer !== undefined && policy.allows(peer))) {
          settle({ socket, address: where, us: Math.round((performance.now() - startedAt) * 1_000) });
          return;
        }
        socket.destroy();
        fail(peer === undefined ? new ProbeFault('connect_reset', { address: where }) : new ProbeFault('address_not_allowed', { host, why: policy.why(peer) }));
      });
      // It stays for the socket's life: an error after the check's end must not end the process.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        // Once connected, what goes wrong is the next step's to tell.
        if (!attempts.delete(socket)) return;
        // Node names its own end of the connection where the kernel refused the call itself.
        fail(connectFault(error, where, / - Local \(/.test(error.message)));
      });
    };
    const fail = (fault: ProbeFault): void => {
      faults.push(fault);
      if (next < addresses.length) attempt();
      else if (attempts.size === 0) settle(faults.find((one) => !one.isOurs) ?? fault);
    };
    deadline.enter('connect_timeout', { address: addresses.map((address) => hostPort(address, port)).join(', ') }, settle);
    if (!settled) attempt();
  });
}
