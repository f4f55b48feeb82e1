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
import { headerOf } from './answer-head.js';
import { signInOf } from './auth/sign-in-of.js';
import type { SignIn } from './auth/sign-in.js';
import type { BodyUse } from './body-memory.js';
import { Deadline } from './deadline.js';
import { decideRedirect, isRedirect } from './decide-redirect.js';
import { bodyEvidence, certificateEvidence, headerEvidence } from './http-evidence.js';
import type { Exchanged } from './http-exchange.js';
import { runHop, type Hop } from './http-hop.js';
import { judgeAnswer, type AnswerFacts, type Judgement } from './judge-answer.js';
import { preparedRequest } from './prepared-request.js';
import type { Probe, ProbeContext, ProbeSpec } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { usSince } from './reach-host.js';
import { UP } from './reach-report.js';
import type { HttpRequest } from './request-head.js';

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
/** The hops of the redirect chain. */
const chainOf = (hops: readonly Hop[]): Hop[] => hops.filter((hop) => !hop.isTokenRequest);
const queuedUs = (hops: readonly Hop[]): number => hops.reduce((sum, { reach }) => sum + reach.queuedUs, 0);

/** Decides what follows the answer of the last hop: another request, a fault, or nothing. */
function nextRequest(
  target: HttpTarget,
  request: HttpRequest,
  hops: readonly Hop[],
  { userAgent }: ProbeContext,
  signIn: SignIn | null,
): HttpRequest | ProbeFault | null {
  const again = signIn?.judge(request, hops.at(-1)!.exchanged!.head!) ?? false;
  if (again instanceof ProbeFault) return again;
  const answers = chainOf(hops).map(({ url, exchanged }) => ({ url, head: exchanged!.head! }));
  return again ? request : decideRedirect(target, request, answers, userAgent);
}

/** @param degraded the failed assertion that degrades the monitor */
function outcomeOf(degraded: ProbeFault | null | undefined): Outcome {
  const outcome = degraded?.toOutcome();
  return outcome?.kind === 'down' ? { kind: 'up', degraded: outcome.message } : UP;
}

function factsOf(hops: readonly Hop[], totalUs: number): AnswerFacts {
  const { url, reach, tls } = hops.at(-1)!;
  const redirects = chainOf(hops.slice(0, -1)).filter(({ exchanged }) =>
    isRedirect(exchanged!.head!.statusCode),
  ).length;
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

/** Decides whether an answer states its end, as all do over HTTP/2. */
function isFramed({ head, httpVersion }: Exchanged): boolean {
  if (httpVersion === '2') return true;
  if (!head || head.isUnframed) return false;
  return headerOf(head, 'content-length') !== undefined || headerOf(head, 'transfer-encoding') !== undefined;
}

function sumTimings(hops: readonly Hop[], authUs: number): Timings {
  const sum: Timings = { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 };
  if (authUs > 0) sum.authUs = authUs;
  for (const {
    reach: { timings },
  } of chainOf(hops)) {
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
