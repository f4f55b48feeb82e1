import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import { headerOf, type AnswerHead } from './answer-head.js';
import type { BodyUse } from './body-memory.js';
import type { Deadline } from './deadline.js';
import { BODY_LIMIT } from './decide-answer.js';
import { isRedirect } from './decide-redirect.js';
import type { BodyPlan, Exchanged } from './http-exchange.js';
import { Http1Exchange } from './http1-exchange.js';
import { Http2Exchange } from './http2-exchange.js';
import { isBodyNeeded, tlsFactsOf, type TlsFacts } from './judge-answer.js';
import type { ProbeContext } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { reachHost, reachOf, usSince, type Reach } from './reach-host.js';
import type { HttpRequest } from './request-head.js';
import { ANY_HTTP, certificateOf, HTTP1, HTTP2, secureSocket } from './secure-socket.js';

/** Enough of an encoded body for its first decoded 2 KiB. */
const EVIDENCE_BYTES = 16 * 1024;

/** The protocols that are offered within TLS. */
const PROTOCOLS = { '1.1': HTTP1, auto: ANY_HTTP, '2': HTTP2 };

/** One hop of a redirect chain, as far as it got. */
export interface Hop {
  url: string;
  reach: Reach;
  exchanged: Exchanged | null;
  /** A certificate that does not verify. */
  refused: X509Certificate | null;
  /** Kept where there are assertions. */
  tls: TlsFacts | null;
  /** The fingerprint of the certificate, where each address is checked. */
  fingerprint?: string | undefined;
  fault: ProbeFault | null;
  /** It asks for an access token, and is no part of the redirect chain. */
  isTokenRequest?: true;
}

/**
 * Sends one request and reads its answer.
 * @param challenged the hop whose connection is still open
 */
export async function runHop(
  request: HttpRequest,
  target: HttpTarget,
  context: ProbeContext,
  deadline: Deadline,
  memory: BodyUse,
  challenged?: Hop,
): Promise<Hop> {
  const talk = async (hop: Hop, { socket, isHttp2 }: Connection): Promise<Hop> => {
    const Exchange = isHttp2 ? Http2Exchange : Http1Exchange;
    const peer = { address: hop.reach.address!, host: request.host, offered: '', protocol: '' };
    const options = { socket, request, peer, planBody: (head: AnswerHead) => planBody(target, head, memory), deadline };
    const exchanged = await new Promise<Exchanged>((resolve) => new Exchange(options, resolve).send());
    hop.reach.timings.firstByteUs = exchanged.firstByteUs;
    hop.reach.timings.transferUs = exchanged.transferUs;
    hop.exchanged = exchanged;
    hop.fault = exchanged.fault;
    return hop;
  };
  const reach = reachOf(request.place);
  const socket = challenged?.exchanged?.open;
  if (challenged && socket) {
    const { address, resolved } = challenged.reach;
    const again = await talk({ ...challenged, reach: { ...reach, address, resolved } }, { socket, isHttp2: false });
    // The server can have closed it in the meantime.
    if (!CLOSED.has(again.fault?.key)) return again;
  }
  const hop: Hop = { url: request.href, reach, exchanged: null, refused: null, tls: null, fault: null };
  const connection = await openConnection(hop, request, target, context, deadline);
  return connection instanceof ProbeFault ? { ...hop, fault: connection } : talk(hop, connection);
}

interface Connection {
  socket: Socket;
  isHttp2: boolean;
}

/** Faults of a connection on which nothing was answered. */
const CLOSED: ReadonlySet<string | undefined> = new Set(['request_cut', 'answer_missing', 'answer_reset']);

/** Connects for a hop, which gets the timings and what was found on the way. */
async function openConnection(
  hop: Hop,
  request: HttpRequest,
  target: HttpTarget,
  context: ProbeContext,
  deadline: Deadline,
): Promise<Connection | ProbeFault> {
  const { reach } = hop;
  const connected = await reachHost(request.place, target, context, deadline, reach);
  const isHttp2 = target.httpVersion === '2';
  if (connected instanceof ProbeFault || !request.secure)
    return connected instanceof ProbeFault ? connected : { socket: connected, isHttp2 };
  const { host } = request;
  const address = reach.address!;
  const protocols = PROTOCOLS[target.httpVersion];
  const since = performance.now();
  const secured = await secureSocket(
    connected,
    { host, address, verify: target.verifyCertificate, protocols, certificate: certificateFor(request, target) },
    context.tls,
    deadline,
    (certificate) => (hop.refused = certificate),
  );
  reach.timings.tlsUs = usSince(since);
  if (target.addresses === 'each')
    hop.fingerprint = (secured instanceof ProbeFault ? hop.refused : certificateOf(secured))?.fingerprint256;
  if (secured instanceof ProbeFault) return secured;
  const isChosen = secured.alpnProtocol === 'h2';
  if (isHttp2 && !isChosen) {
    secured.destroy();
    return new ProbeFault('tls_no_protocol', { address, protocol: protocols.name });
  }
  if (target.assertions.length > 0) hop.tls = tlsFactsOf(secured);
  return { socket: secured, isHttp2: isChosen };
}

/** The certificate of the client, which the origin of the monitor alone gets. */
function certificateFor(request: HttpRequest, { auth, url }: HttpTarget) {
  if (auth?.type !== 'clientCertificate') return undefined;
  return new URL(request.href).origin === new URL(url).origin ? auth : undefined;
}

/** The body of a redirect is not read; one that is compared with something is kept up to the limit. */
function planBody(target: HttpTarget, head: AnswerHead, memory: BodyUse): BodyPlan {
  const redirected = target.followRedirects && isRedirect(head.statusCode) && headerOf(head, 'location') !== undefined;
  if (redirected) return { keep: EVIDENCE_BYTES, read: 0 };
  return isBodyNeeded(target, head)
    ? { keep: BODY_LIMIT, read: BODY_LIMIT, memory }
    : { keep: EVIDENCE_BYTES, read: BODY_LIMIT };
}
