import type { WebSocketTarget } from '@watchpost/shared/checks/web-socket';
import type { Evidence, ProbeReport } from '@watchpost/shared/outcome';
import { answerDigest } from './answer-digest.js';
import { Deadline } from './deadline.js';
import { headerEvidence } from './http-evidence.js';
import { readPayloads, writePayload } from './payload.js';
import type { Probe } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { reachOf } from './reach-host.js';
import { reachReport } from './reach-report.js';
import { reachSecured } from './reach-secured.js';
import { firstRequest, type HttpRequest } from './request-head.js';
import { HTTP1 } from './secure-socket.js';
import { talkOverWebSocket, type SocketMessage, type SocketTalk } from './web-socket-talk.js';

const EVIDENCE_BYTES = 2 * 1024;
/** Headers that the upgrade itself sets. */
const OWN_HEADER = /^sec-websocket-/i;

/** Opens a WebSocket on a connection of its own, sends the monitor's message, and waits for the expected one. */
export const probeWebSocket: Probe<WebSocketTarget> = async (spec, target, context, signal) => {
  const startedAtMs = Date.now();
  const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
  try {
    const prepared = prepare(target, context.userAgent);
    if (prepared instanceof ProbeFault)
      return reachReport(startedAtMs, deadline, reachOf({ host: '', port: 0, address: null }), prepared);
    const { request, send, expected } = prepared;
    const reach = reachOf(request.place);
    const { place, host, secure } = request;
    const peer = secure ? { host, verify: true, protocols: HTTP1 } : null;
    const { socket, evidence } = await reachSecured(place, peer, target, context, deadline, reach);
    if (socket instanceof ProbeFault) return reachReport(startedAtMs, deadline, reach, socket, evidence);
    const address = reach.address!;
    const talk = await talkOverWebSocket({
      ...{ socket, address, request, send, expected, deadline },
      subprotocol: target.subprotocol,
    });
    reach.timings.firstByteUs = talk.firstByteUs;
    reach.timings.transferUs = talk.transferUs;
    const report = reachReport(startedAtMs, deadline, reach, talk.fault, evidenceOf(talk));
    return withAnswer({ ...report, statusCode: talk.head?.statusCode ?? null }, talk, request.secure);
  } finally {
    deadline.dispose();
  }
};

/** The request for the upgrade and the messages; a fault where the target makes none. */
function prepare(
  { url, headers, subprotocol, send, expect }: WebSocketTarget,
  userAgent: string,
): { request: HttpRequest; send: SocketMessage | null; expected: Buffer | null } | ProbeFault {
  const given = headers.filter(({ name }) => !OWN_HEADER.test(name));
  // The schemes of WebSockets differ from those of HTTP in their names only.
  const page = { url: url.replace(/^ws/, 'http'), method: 'GET', headers: given, body: null, connectTo: null };
  const request = firstRequest(page, userAgent);
  if (request instanceof ProbeFault) return request;
  const payloads = readPayloads({ send, expect });
  if (payloads instanceof ProbeFault) return payloads;
  if (subprotocol !== null && !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(subprotocol))
    return new ProbeFault('invalid_target', { why: 'its subprotocol has characters that are not allowed' });
  const message =
    payloads.send && ({ kind: send!.startsWith('hex:') ? 'binary' : 'text', bytes: payloads.send } as const);
  return { request, send: message, expected: payloads.expected };
}

function evidenceOf({ head, received }: SocketTalk): Evidence {
  return {
    ...(head ? { headers: headerEvidence(head) } : {}),
    ...(received.length > 0 ? { received: writePayload(received, EVIDENCE_BYTES) } : {}),
  };
}

/** A fault that follows from what the server sent can be compared with what other agents got. */
function withAnswer(report: ProbeReport, { fault, head, received }: SocketTalk, isVerified: boolean): ProbeReport {
  if (!fault?.isAnswer) return report;
  if (isVerified) return { ...report, answer: 'verified' };
  return { ...report, answerDigest: answerDigest(head?.statusCode ?? null, writePayload(received, EVIDENCE_BYTES)) };
}
