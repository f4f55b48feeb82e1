import type { TcpUdpTarget } from '@watchpost/shared/checks/tcp-udp';
import { isIP } from 'node:net';
import { Deadline } from './deadline.js';
import { readPayloads, writePayload } from './payload.js';
import type { Probe } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { reachHost, reachOf } from './reach-host.js';
import { reachReport } from './reach-report.js';
import { talk } from './service-talk.js';

const EVIDENCE_BYTES = 2 * 1024;

/** Connects to a TCP service, sends the monitor's data, and waits for the expected bytes. */
export const probeTcp: Probe<TcpUdpTarget> = async (spec, target, context, signal) => {
  const startedAtMs = Date.now();
  const place = { host: target.host, port: target.port, address: isIP(target.host) === 0 ? null : target.host };
  const reach = reachOf(place);
  const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
  try {
    const payloads = readPayloads(target);
    if (payloads instanceof ProbeFault) return reachReport(startedAtMs, deadline, reach, payloads);
    const socket = await reachHost(place, target, context, deadline, reach);
    if (socket instanceof ProbeFault) return reachReport(startedAtMs, deadline, reach, socket);
    const talked = await talk(socket, reach.address!, payloads.send, payloads.expected, deadline);
    reach.timings.firstByteUs = talked.firstByteUs;
    reach.timings.transferUs = talked.transferUs;
    const seen = talked.received.length > 0 ? { received: writePayload(talked.received, EVIDENCE_BYTES) } : {};
    return reachReport(startedAtMs, deadline, reach, talked.fault, seen);
  } finally {
    deadline.dispose();
  }
};
