import type { TcpUdpTarget } from '@watchpost/shared/checks/tcp-udp';
import { allowedOf } from './connect-address.js';
import { talkByDatagram } from './datagram-talk.js';
import { readPayloads, writePayload } from './payload.js';
import { probeOfHost } from './probe-of-host.js';
import { ProbeFault } from './probe-fault.js';
import { resolvePlace } from './reach-host.js';

const EVIDENCE_BYTES = 2 * 1024;

/**
 * Sends a packet to a UDP service. With an expected response, that must arrive; without one, only a port that is reported
 * closed is down, because silence is normal for UDP.
 */
export const probeUdp = probeOfHost<TcpUdpTarget>(async (check) => {
  const { target, context, place, reach, deadline, report } = check;
  const payloads = readPayloads({ ...target, send: target.send ?? '' });
  if (payloads instanceof ProbeFault) return report(payloads);
  const unresolved = await resolvePlace(place, target, context, deadline, reach);
  if (unresolved) return report(unresolved);
  const tried = allowedOf(target.host, reach.resolved, context.egress[target.egress]);
  if (tried instanceof ProbeFault) return report(tried);
  const talked = await talkByDatagram(tried, target.port, payloads.send!, payloads.expected, deadline);
  reach.address = talked.address;
  reach.warnings = talked.warnings;
  const { fault, received, firstByteUs, transferUs } = talked;
  reach.timings.firstByteUs = firstByteUs;
  reach.timings.transferUs = transferUs;
  return report(fault, received.length > 0 ? { received: writePayload(received, EVIDENCE_BYTES) } : {});
});
