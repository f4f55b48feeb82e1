import type { TcpUdpTarget } from '@watchpost/shared/checks/tcp-udp';
import type { ScriptStep } from '@watchpost/shared/checks/tcp-script';
import type { Evidence, ProbeReport } from '@watchpost/shared/outcome';
import { isIP, type Socket } from 'node:net';
import { Deadline } from './deadline.js';
import { readPayloads, writePayload } from './payload.js';
import { certificateEvidence } from './http-evidence.js';
import type { Place } from './place.js';
import type { Probe, ProbeContext } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { reachHost, reachOf, usSince, type Reach } from './reach-host.js';
import { reachReport } from './reach-report.js';
import { runScript } from './run-script.js';
import { NO_PROTOCOL, secureSocket } from './secure-socket.js';
import { talk } from './service-talk.js';

const EVIDENCE_BYTES = 2 * 1024;

/** Connects to a TCP service, sends the monitor's data, and waits for the expected bytes. */
export const probeTcp: Probe<TcpUdpTarget> = async (spec, target, context, signal) => {
  const startedAtMs = Date.now();
  const place = { host: target.host, port: target.port, address: isIP(target.host) === 0 ? null : target.host };
  const reach = reachOf(place);
  const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
  try {
    if (target.script !== null)
      return await probeByScript(startedAtMs, place, target, target.script, context, deadline, reach);
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

async function probeByScript(
  startedAtMs: number,
  place: Place,
  target: TcpUdpTarget,
  steps: readonly ScriptStep[],
  context: ProbeContext,
  deadline: Deadline,
  reach: Reach,
): Promise<ProbeReport> {
  const reached = await reachHost(place, target, context, deadline, reach);
  if (reached instanceof ProbeFault) return reachReport(startedAtMs, deadline, reach, reached);
  const address = reach.address!;
  const peer = { host: target.host, address, verify: true, protocols: NO_PROTOCOL };
  const evidence: Evidence = {};
  const startedAt = performance.now();
  const secure = async (socket: Socket) => {
    const since = performance.now();
    const secured = await secureSocket(socket, peer, context.tls, deadline, (refused) => {
      const certificate = certificateEvidence(refused);
      if (certificate) evidence.certificate = certificate;
    });
    reach.timings.tlsUs += usSince(since);
    return secured;
  };
  const { socket, fault, received, firstByteAt } = await runScript({
    socket: reached,
    address,
    steps,
    secure,
    deadline,
  });
  // What was sent last must arrive: only a failed check resets the connection.
  if (fault === null) socket.destroySoon();
  const { tlsUs } = reach.timings;
  if (firstByteAt > 0) reach.timings.firstByteUs = Math.round((firstByteAt - startedAt) * 1_000);
  reach.timings.transferUs = Math.max(0, usSince(startedAt) - reach.timings.firstByteUs - tlsUs);
  if (received.length > 0) evidence.received = writePayload(received, EVIDENCE_BYTES);
  return reachReport(startedAtMs, deadline, reach, fault, evidence);
}
