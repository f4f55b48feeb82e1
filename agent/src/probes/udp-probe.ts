import type { TcpUdpTarget } from '@watchpost/shared/checks/tcp-udp';
import { isIP } from 'node:net';
import { allowedOf } from './connect-address.js';
import { talkByDatagram } from './datagram-talk.js';
import { Deadline } from './deadline.js';
import { readPayloads, writePayload } from './payload.js';
import type { Probe } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { reachOf, resolvePlace } from './reach-host.js';
import { reachReport } from './reach-report.js';

const EVIDENCE_BYTES = 2 * 1024;

/**
 * Sends a packet to a UDP service. With an expected response, that must arrive; without one, only a port that is reported
 * closed is down, because silence is normal for UDP.
 */
export const probeUdp: Probe<TcpUdpTarget> = async (spec, target, context, signal) => {
  const startedAtMs = Date.now();
  const place = { host: target.host, port: target.port, address: isIP(target.host) === 0 ? null : target.host };
  const reach = reachOf(place);
  const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
  try {
    const payloads = readPayloads({ ...target, send: target.send ?? '' });
    if (payloads instanceof ProbeFault) return reachReport(startedAtMs, deadline, reach, payloads);
    const unresolved = await resolvePlace(place, target, context, deadline, reach);
    if (unresolved) return reachReport(startedAtMs, deadline, reach, unresolved);
    const tried = allowedOf(target.host, reach.resolved, context.egress[target.egress]);
    if (tried instanceof ProbeFault) return reachReport(startedAtMs, deadline, reach, tried);
    const talked = await talkByDatagram(tried, target.port, payloads.send!, payloads.expected, deadline);
    reach.address = talked.address;
    reach.warnings = talked.warnings;
    const { fault, received, firstByteUs, transferUs } = talked;
    reach.timings.firstByteUs = firstByteUs;
    reach.timings.transferUs = transferUs;
    return reachReport(
      startedAtMs,
      deadline,
      reach,
      fault,
      received.length > 0 ? { received: writePayload(received, EVIDENCE_BYTES) } : {},
    );
  } finally {
    deadline.dispose();
  }
};
