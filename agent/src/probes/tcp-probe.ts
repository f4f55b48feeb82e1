import type { TcpUdpTarget } from '@watchpost/shared/checks/tcp-udp';
import type { ScriptStep } from '@watchpost/shared/checks/tcp-script';
import type { Evidence, ProbeReport } from '@watchpost/shared/outcome';
import type { Socket } from 'node:net';
import { readPayloads, writePayload } from './payload.js';
import { certificateEvidence } from './http-evidence.js';
import { type HostCheck, probeOfHost } from './probe-of-host.js';
import { ProbeFault } from './probe-fault.js';
import { reachHost, usSince } from './reach-host.js';
import { runScript } from './run-script.js';
import { NO_PROTOCOL, secureSocket } from './secure-socket.js';
import { talk } from './service-talk.js';

const EVIDENCE_BYTES = 2 * 1024;

/** Connects to a TCP service, sends the monitor's data, and waits for the expected bytes. */
export const probeTcp = probeOfHost<TcpUdpTarget>(async (check) => {
  const { target, context, place, reach, deadline, report } = check;
  if (target.script !== null) return probeByScript(check, target.script);
  const payloads = readPayloads(target);
  if (payloads instanceof ProbeFault) return report(payloads);
  const socket = await reachHost(place, target, context, deadline, reach);
  if (socket instanceof ProbeFault) return report(socket);
  const talked = await talk(socket, reach.address!, payloads.send, payloads.expected, deadline);
  reach.timings.firstByteUs = talked.firstByteUs;
  reach.timings.transferUs = talked.transferUs;
  const seen = talked.received.length > 0 ? { received: writePayload(talked.received, EVIDENCE_BYTES) } : {};
  return report(talked.fault, seen);
});

async function probeByScript(check: HostCheck<TcpUdpTarget>, steps: readonly ScriptStep[]): Promise<ProbeReport> {
  const { target, context, place, reach, deadline, report } = check;
  const reached = await reachHost(place, target, context, deadline, reach);
  if (reached instanceof ProbeFault) return report(reached);
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
  return report(fault, evidence);
}
