import type { Socket } from 'node:net';
import type { EgressPolicyName } from '@watchpost/shared/check';
import type { Timings } from '@watchpost/shared/outcome';
import { connectAddress, hostPort } from './connect-address.js';
import type { Deadline } from './deadline.js';
import type { ProbeContext } from './probe.js';
import { ProbeFault } from './probe-fault.js';

export interface Place {
  /** Without brackets. */
  host: string;
  port: number;
  /** The host where it is an address already: there is nothing to resolve. */
  address: string | null;
}

/** How far a check got on its way to a place. */
export interface Reach {
  /** `ip:port` that was connected to, or tried where there was only one. */
  address: string | null;
  resolved: readonly string[];
  timings: Timings;
  /** Time in our own queue. */
  queuedUs: number;
}

export function reachOf(place: Place): Reach {
  return {
    address: null,
    resolved: place.address === null ? [] : [place.address],
    timings: { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
    queuedUs: 0,
  };
}

/** @returns µs since a moment of `performance.now()` */
export function usSince(moment: number): number {
  return Math.round((performance.now() - moment) * 1_000);
}

/** Resolves the host, judges what it resolves to, and connects; notes on the way how far it got and how long it took. */
export async function reachHost(
  place: Place,
  egress: EgressPolicyName,
  context: ProbeContext,
  deadline: Deadline,
  reach: Reach,
): Promise<Socket | ProbeFault> {
  const fault = place.address === null ? await resolvePlace(place, context, deadline, reach) : null;
  if (fault) return fault;
  const since = performance.now();
  const connected = await connectAddress(place.host, reach.resolved, place.port, context.egress[egress], deadline);
  if (!(connected instanceof ProbeFault)) {
    reach.timings.connectUs = connected.us;
    reach.address = connected.address;
    return connected.socket;
  }
  if (connected.key !== 'address_not_allowed') {
    if (reach.resolved.length === 1) reach.address = hostPort(reach.resolved[0]!, place.port);
    reach.timings.connectUs = usSince(since);
  }
  return connected;
}

/** Resolves the host alone. @returns null where it went well */
export async function resolvePlace(
  place: Place,
  context: ProbeContext,
  deadline: Deadline,
  reach: Reach,
): Promise<ProbeFault | null> {
  const since = performance.now();
  const resolved = await context.resolve(place.host, deadline);
  if (resolved instanceof ProbeFault) {
    reach.timings.dnsUs = usSince(since);
    return resolved;
  }
  reach.timings.dnsUs = resolved.us;
  reach.queuedUs = resolved.queuedUs;
  reach.resolved = resolved.addresses;
  return null;
}
