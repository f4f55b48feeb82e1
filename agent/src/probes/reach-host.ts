import type { Socket } from 'node:net';
import { familyOf } from '@watchpost/shared/address-ranges';
import type { AddressChoice, EgressPolicyName } from '@watchpost/shared/checks/define-check';
import type { Timings } from '@watchpost/shared/outcome';
import { allowedOf, connectAddress, hostPort } from './connect-address.js';
import type { Deadline } from './deadline.js';
import type { Place } from './place.js';
import type { ProbeContext } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { notFound } from './resolve-host.js';

/** The fields of a target about the connections to it. */
export interface Reached {
  egress: EgressPolicyName;
  addresses?: AddressChoice;
}

/** The progress of a check towards a place. */
export interface Reach {
  /** The connected `ip:port`, or the tried one if it is the only one. */
  address: string | null;
  resolved: readonly string[];
  timings: Timings;
  /** Time in the agent's own queue. */
  queuedUs: number;
  /** The first address that was tried, where none could be connected to. */
  tried?: string;
  /** The faults of other addresses that were tried before the connected one. */
  warnings: string[] | null;
}

export function reachOf(place: Place): Reach {
  return {
    address: null,
    resolved: place.address === null ? [] : [place.address],
    timings: { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
    queuedUs: 0,
    warnings: null,
  };
}

/** @returns µs since a time of `performance.now()` */
export function usSince(moment: number): number {
  return Math.round((performance.now() - moment) * 1_000);
}

/** Resolves the host, applies the egress policy and connects; records progress and timings in `reach`. */
export async function reachHost(
  place: Place,
  target: Reached,
  context: ProbeContext,
  deadline: Deadline,
  reach: Reach,
): Promise<Socket | ProbeFault> {
  const fault = await resolvePlace(place, target, context, deadline, reach);
  if (fault) return fault;
  const since = performance.now();
  const connected = await connectAddress(
    place.host,
    reach.resolved,
    place.port,
    context.egress[target.egress],
    deadline,
  );
  if (!(connected instanceof ProbeFault)) {
    reach.timings.connectUs = connected.us;
    reach.address = connected.address;
    reach.warnings = connected.warnings;
    return connected.socket;
  }
  if (connected.key !== 'address_not_allowed') {
    const allowed = allowedOf(place.host, reach.resolved, context.egress[target.egress]);
    if (!(allowed instanceof ProbeFault)) reach.tried = hostPort(allowed[0]!, place.port);
    if (reach.resolved.length === 1) reach.address = hostPort(reach.resolved[0]!, place.port);
    reach.timings.connectUs = usSince(since);
  }
  return connected;
}

/** Resolves the host only, if it is a name. @returns null without a fault */
export async function resolvePlace(
  place: Place,
  { addresses = 'first' }: Reached,
  context: ProbeContext,
  deadline: Deadline,
  reach: Reach,
): Promise<ProbeFault | null> {
  const family = addresses === 'ipv4' || addresses === 'ipv6' ? addresses : undefined;
  if (place.address !== null)
    return family !== undefined && familyOf(place.address) !== family ? notFound(place.host, family) : null;
  const since = performance.now();
  const resolved = await context.resolve(place.host, deadline, family);
  if (resolved instanceof ProbeFault) {
    reach.timings.dnsUs = usSince(since);
    return resolved;
  }
  reach.timings.dnsUs = resolved.us;
  reach.queuedUs = resolved.queuedUs;
  reach.resolved = resolved.addresses;
  return null;
}
