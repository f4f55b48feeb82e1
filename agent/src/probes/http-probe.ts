import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import {
  MOST_ADDRESSES,
  type Evidence,
  type HopEvidence,
  type Outcome,
  type ProbeReport,
  type Timings,
} from '@watchpost/shared/outcome';
import { maskReport } from '@watchpost/shared/secrets/mask-report';
import { createSecretMask } from '@watchpost/shared/secrets/secret-mask';
import { answerDigest } from './answer-digest.js';
import { headerOf, type AnswerHead } from './answer-head.js';
import { signInOf } from './auth/sign-in-of.js';
import type { SignIn } from './auth/sign-in.js';
import type { BodyUse } from './body-memory.js';
import { Deadline } from './deadline.js';
import { BODY_LIMIT } from './decide-answer.js';
import type { ChainAnswer } from './decide-cookies.js';
import { decideRedirect, isRedirect } from './decide-redirect.js';
import { bodyEvidence, certificateEvidence, headerEvidence } from './http-evidence.js';
import type { BodyPlan, Exchanged } from './http-exchange.js';
import { Http1Exchange } from './http1-exchange.js';
import { Http2Exchange } from './http2-exchange.js';
import {
  isBodyNeeded,
  judgeAnswer,
  tlsFactsOf,
  type AnswerFacts,
  type Judgement,
  type TlsFacts,
} from './judge-answer.js';
import type { Probe, ProbeContext, ProbeSpec } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { reachHost, reachOf, usSince, type Reach } from './reach-host.js';
import { UP } from './reach-report.js';
import { firstRequest, type HttpRequest } from './request-head.js';
import { ANY_HTTP, certificateOf, HTTP1, HTTP2, secureSocket } from './secure-socket.js';

/** Enough of an encoded body for its first decoded 2 KiB. */
const EVIDENCE_BYTES = 16 * 1024;

/** What is offered within TLS. */
const PROTOCOLS = { '1.1': HTTP1, auto: ANY_HTTP, '2': HTTP2 };

/** One hop of a redirect chain, as far as it got. */
interface Hop {
  url: string;
  reach: Reach;
  exchanged: Exchanged | null;
  /** A certificate that does not verify. */
  refused: X509Certificate | null;
  /** Kept where there are assertions. */
  tls: TlsFacts | null;
  /** Of the certificate, where each address is checked. */
  fingerprint?: string | undefined;
  fault: ProbeFault | null;
  /** It asks for an access token, and is no part of the redirect chain. */
  isTokenRequest?: true;
}

/**
 * Checks a website as a first-time visitor sees it: new connections, no resumed session, the egress policy applied to every
 * redirect, and one deadline for all of it.
 */
export const probeHttp: Probe<HttpTarget> = async (spec, target, context, signal) => {
  const memory = context.bodies.use(spec);
  try {
    return await checkSite(spec, target, context, signal, memory);
  } finally {
    memory.release();
  }
};

async function checkSite(
  spec: ProbeSpec,
  target: HttpTarget,
  context: ProbeContext,
  signal: AbortSignal,
  memory: BodyUse,
): Promise<ProbeReport> {
  const startedAtMs = Date.now();
  const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
  const hops: Hop[] = [];
  let judgement: Judgement;
  let totalUs = 0;
  let authUs = 0;
  const signIn = signInOf(target, context, deadline, async (tokenTarget) => {
    const request = preparedRequest(tokenTarget, context);
    if (request instanceof ProbeFault) return { fault: request, exchanged: null };
    const hop = await runHop(request, tokenTarget, context, deadline, memory);
    hops.push({ ...hop, isTokenRequest: true });
    return hop;
  });
  try {
    let request: HttpRequest | ProbeFault | null = preparedRequest(target, context);
    while (request !== null && !(request instanceof ProbeFault)) {
      const signed = signIn ? await signIn.sign(request) : request;
      if (signed instanceof ProbeFault) {
        request = signed;
        break;
      }
      const hop = await runHop(signed, target, context, deadline, memory, hops.at(-1));
      hops.push(hop);
      request = hop.fault ?? nextRequest(target, request, hops, context, signIn);
    }
    if (signIn) authUs = Math.max(0, signIn.waitedUs - queuedUs(hops.filter(isTokenRequest)));
    totalUs = usSince(deadline.startedAt) - queuedUs(hops) - authUs;
    judgement = request
      ? { fault: request }
      : await judgeAnswer(target, hops.at(-1)!.exchanged!, factsOf(hops, totalUs), context.bodies);
  } finally {
    deadline.dispose();
    for (const { exchanged } of hops) exchanged?.open?.destroy();
  }
  const { fault, degraded, assertions, isSlowOnly } = judgement;
  const last = hops.at(-1);
  const found = fault ?? degraded;
  const answer = found && !isSlowOnly && answerOf(found, hops, target);
  const statusCode = (!last?.isTokenRequest && last?.exchanged?.head?.statusCode) || null;
  const isShown = hops.length > 0 && (fault ? !fault.isAgentFault : Boolean(degraded) || spec.isTest === true);
  const evidence =
    isShown || assertions
      ? { ...(isShown && (await evidenceOf(hops, spec.isTest))), ...(assertions && { assertions }) }
      : null;
  const report: ProbeReport = {
    outcome: fault ? fault.toOutcome() : outcomeOf(degraded),
    startedAtMs,
    totalUs,
    timings: hops.length === 1 && authUs === 0 ? last!.reach.timings : sumTimings(hops, authUs),
    statusCode,
    address: last?.reach.address ?? null,
    evidence,
    ...addressesOf(hops),
    ...(answer ? { answer } : {}),
    ...(fault && answer === 'complete' && statusCode !== null && isWhole(fault, last?.exchanged)
      ? { answerDigest: answerDigest(statusCode, evidence?.bodyStart) }
      : {}),
  };
  const mask = signIn && createSecretMask(signIn.sent);
  return mask ? maskReport(report, mask) : report;
}

const isTokenRequest = (hop: Hop): boolean => hop.isTokenRequest === true;
const queuedUs = (hops: readonly Hop[]): number => hops.reduce((sum, { reach }) => sum + reach.queuedUs, 0);

/** What follows the answer of the last hop: another request, a fault, or nothing. */
function nextRequest(
  target: HttpTarget,
  request: HttpRequest,
  hops: readonly Hop[],
  { userAgent }: ProbeContext,
  signIn: SignIn | null,
): HttpRequest | ProbeFault | null {
  const again = signIn?.judge(request, hops.at(-1)!.exchanged!.head!) ?? false;
  if (again instanceof ProbeFault) return again;
  const answers = hops.filter((hop) => !hop.isTokenRequest).map(answerOfHop);
  return again ? request : decideRedirect(target, request, answers, userAgent);
}

/** @param degraded the failed assertion that degrades the monitor */
function outcomeOf(degraded: ProbeFault | null | undefined): Outcome {
  const outcome = degraded?.toOutcome();
  return outcome?.kind === 'down' ? { kind: 'up', degraded: outcome.message } : UP;
}

function factsOf(hops: readonly Hop[], totalUs: number): AnswerFacts {
  const { url, reach, tls } = hops.at(-1)!;
  const redirects = hops
    .slice(0, -1)
    .filter((hop) => !hop.isTokenRequest && isRedirect(hop.exchanged!.head!.statusCode)).length;
  return { responseMs: totalUs / 1_000, tls, redirects, url, address: reach.address };
}

function addressesOf(hops: readonly Hop[]): Pick<ProbeReport, 'addressWarnings' | 'certificateFingerprint'> {
  const fingerprint = hops.find((hop) => !hop.isTokenRequest)?.fingerprint;
  const isWarned = hops.some(({ reach }) => reach.warnings !== null);
  return {
    ...(isWarned
      ? { addressWarnings: hops.flatMap(({ reach }) => reach.warnings ?? []).slice(0, MOST_ADDRESSES) }
      : {}),
    ...(fingerprint === undefined ? {} : { certificateFingerprint: fingerprint }),
  };
}

/** Whether all of an HTTP response has arrived. A cut connection ends a body without a length; the missing part may contain the keyword. */
function isWhole(fault: ProbeFault, exchanged: Exchanged | null | undefined): boolean {
  if (!exchanged?.head || exchanged.fault) return false;
  return exchanged.cut || isFramed(exchanged) || fault.key === 'unexpected_status';
}

/** Whether the fault follows from a response of the server, and whether a device on the way can have forged it. */
function answerOf(fault: ProbeFault, hops: readonly Hop[], target: HttpTarget): ProbeReport['answer'] {
  const last = hops.at(-1)?.exchanged;
  if (!last?.head || last.fault) return fault.isAnswer ? 'complete' : undefined;
  const isVerified = target.verifyCertificate && hops.every(({ url }) => url.startsWith('https:'));
  return isVerified && isWhole(fault, last) ? 'verified' : 'complete';
}

/** Whether an answer states its end, as all do over HTTP/2. */
function isFramed({ head, httpVersion }: Exchanged): boolean {
  if (httpVersion === '2') return true;
  if (!head || head.isUnframed) return false;
  return headerOf(head, 'content-length') !== undefined || headerOf(head, 'transfer-encoding') !== undefined;
}

/** The answer of a hop without a fault. */
function answerOfHop({ url, exchanged }: Hop): ChainAnswer {
  return { url, head: exchanged!.head! };
}

function preparedRequest(target: HttpTarget, context: ProbeContext): HttpRequest | ProbeFault {
  let request = context.requests.get(target);
  if (request === undefined) {
    request = firstRequest(target, context.userAgent);
    context.requests.set(target, request);
  }
  return request;
}

/** @param challenged the hop whose connection is still open */
async function runHop(
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

function sumTimings(hops: readonly Hop[], authUs: number): Timings {
  const sum: Timings = { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 };
  if (authUs > 0) sum.authUs = authUs;
  for (const {
    reach: { timings },
  } of hops.filter((hop) => !hop.isTokenRequest)) {
    sum.dnsUs += timings.dnsUs;
    sum.connectUs += timings.connectUs;
    sum.tlsUs += timings.tlsUs;
    sum.firstByteUs += timings.firstByteUs;
    sum.transferUs += timings.transferUs;
  }
  return sum;
}

async function evidenceOf(hops: readonly Hop[], isTest: boolean | undefined): Promise<Evidence> {
  const last = hops.at(-1)!;
  // The answer of a token endpoint may be a secret.
  const head = (!last.isTokenRequest && last.exchanged?.head) || null;
  const body = head ? await bodyEvidence(last.exchanged!.body, head, isTest) : {};
  const certificate = last.refused ? certificateEvidence(last.refused) : undefined;
  return {
    hops: hops.map((hop): HopEvidence => ({
      url: hop.url,
      address: hop.reach.address,
      statusCode: hop.exchanged?.head?.statusCode ?? null,
      httpVersion: hop.exchanged?.httpVersion ?? null,
      timings: hop.reach.timings,
      ...(hop.isTokenRequest ? { isTokenRequest: true } : {}),
    })),
    ...(head ? { headers: headerEvidence(head) } : {}),
    ...body,
    ...(certificate ? { certificate } : {}),
    ...(last.reach.resolved.length > 0 ? { resolved: [...last.reach.resolved] } : {}),
  };
}
