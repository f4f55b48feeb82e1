import type { Socket } from 'node:net';
import type { Evidence } from '@watchpost/shared/outcome';
import type { Deadline } from './deadline.js';
import { certificateEvidence } from './http-evidence.js';
import type { Place } from './place.js';
import type { ProbeContext } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { reachHost, usSince, type Reach, type Reached } from './reach-host.js';
import { secureSocket, type SecurePeer } from './secure-socket.js';

/**
 * Reaches a host as `reachHost` does, and makes a TLS handshake where there is a peer for it.
 * @returns with the certificate that was not accepted, as evidence
 */
export async function reachSecured(
  place: Place,
  peer: Omit<SecurePeer, 'address'> | null,
  { egress }: Pick<Reached, 'egress'>,
  context: ProbeContext,
  deadline: Deadline,
  reach: Reach,
): Promise<{ socket: Socket | ProbeFault; evidence: Evidence }> {
  const evidence: Evidence = {};
  const socket = await reachHost(place, { egress }, context, deadline, reach);
  if (socket instanceof ProbeFault || peer === null) return { socket, evidence };
  const since = performance.now();
  const secured = await secureSocket(socket, { ...peer, address: reach.address! }, context.tls, deadline, (refused) => {
    const certificate = certificateEvidence(refused);
    if (certificate) evidence.certificate = certificate;
  });
  reach.timings.tlsUs = usSince(since);
  return { socket: secured, evidence };
}
