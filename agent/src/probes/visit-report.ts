import type { HttpTarget } from '@watchpost/shared/checks/http';
import {
  MOST_ADDRESSES,
  type Evidence,
  type HopEvidence,
  type Outcome,
  type ProbeReport,
} from '@watchpost/shared/outcome';
import { cutText } from '@watchpost/shared/storable-text';
import { answerDigest } from './answer-digest.js';
import { headerOf } from './answer-head.js';
import { bodyEvidence, certificateEvidence, headerEvidence } from './http-evidence.js';
import type { Exchanged } from './http-exchange.js';
import type { Hop } from './http-hop.js';
import { chainOf, type Visited } from './http-visit.js';
import type { ProbeFault } from './probe-fault.js';
import { UP } from './reach-report.js';
import { sumTimings } from './sum-timings.js';

/** Characters of a URL in evidence: a site chooses those of redirects. */
const MOST_URL = 2_048;

/**
 * The report of a visit, whose evidence has the answer where it is at fault, or in a test.
 * @param isInRun its hops are also evidence of the other requests of a run
 */
export async function visitReport(
  target: HttpTarget,
  { startedAtMs, totalUs, authUs, hops, judgement }: Visited,
  isTest: boolean | undefined,
  isInRun: boolean,
): Promise<ProbeReport> {
  const { fault, degraded, assertions, isSlowOnly } = judgement;
  const last = hops.at(-1);
  const found = fault ?? degraded;
  const answer = found && !isSlowOnly && answerOf(found, hops, target);
  const statusCode = (!last?.isTokenRequest && last?.exchanged?.head?.statusCode) || null;
  const isShown = hops.length > 0 && (fault ? !fault.isAgentFault : Boolean(degraded) || isTest === true);
  const evidence =
    isShown || assertions || isInRun
      ? {
          ...(isShown ? await evidenceOf(hops, isTest) : isInRun && { hops: hops.map(hopEvidence) }),
          ...(assertions && { assertions }),
        }
      : null;
  // Field by field: copying parts into an object takes a slow path in V8.
  const report: ProbeReport = {
    outcome: fault ? fault.toOutcome() : outcomeOf(degraded),
    startedAtMs,
    totalUs,
    timings:
      hops.length === 1 && authUs === 0
        ? last!.reach.timings
        : { ...sumTimings(chainOf(hops).map(({ reach }) => reach.timings)), ...(authUs > 0 ? { authUs } : {}) },
    statusCode,
    address: last?.reach.address ?? null,
    evidence,
  };
  if (last?.reach.tried !== undefined) report.tried = last.reach.tried;
  if (hops.some(({ reach }) => reach.warnings !== null))
    report.addressWarnings = hops.flatMap(({ reach }) => reach.warnings ?? []).slice(0, MOST_ADDRESSES);
  const fingerprint = hops.find((hop) => !hop.isTokenRequest)?.fingerprint;
  if (fingerprint !== undefined) report.certificateFingerprint = fingerprint;
  if (answer) report.answer = answer;
  if (fault && answer === 'complete' && statusCode !== null && isWhole(fault, last?.exchanged))
    report.answerDigest = answerDigest(statusCode, evidence?.bodyStart);
  return report;
}

/** @param degraded the failed assertion that degrades the monitor */
function outcomeOf(degraded: ProbeFault | null | undefined): Outcome {
  const outcome = degraded?.toOutcome();
  return outcome?.kind === 'down' ? { kind: 'up', degraded: outcome.message } : UP;
}

/** Decides whether all of an HTTP response has arrived. A cut connection ends a body without a length; the missing part may contain the keyword. */
function isWhole(fault: ProbeFault, exchanged: Exchanged | null | undefined): boolean {
  if (!exchanged?.head || exchanged.fault) return false;
  return exchanged.cut || isFramed(exchanged) || fault.key === 'unexpected_status';
}

/** Decides whether the fault follows from a response of the server, and whether a device on the way can have forged it. */
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

async function evidenceOf(hops: readonly Hop[], isTest: boolean | undefined): Promise<Evidence> {
  const last = hops.at(-1)!;
  // The answer of a token endpoint may be a secret.
  const head = (!last.isTokenRequest && last.exchanged?.head) || null;
  const body = head ? await bodyEvidence(last.exchanged!.body, head, isTest) : {};
  const certificate = last.refused ? certificateEvidence(last.refused) : undefined;
  return {
    hops: hops.map(hopEvidence),
    ...(head ? { headers: headerEvidence(head) } : {}),
    ...body,
    ...(certificate ? { certificate } : {}),
    ...(last.reach.resolved.length > 0 ? { resolved: [...last.reach.resolved] } : {}),
  };
}

function hopEvidence({ url, reach, exchanged, isTokenRequest }: Hop): HopEvidence {
  return {
    url: cutText(url, MOST_URL),
    address: reach.address,
    statusCode: exchanged?.head?.statusCode ?? null,
    httpVersion: exchanged?.httpVersion ?? null,
    timings: reach.timings,
    ...(isTokenRequest ? { isTokenRequest } : {}),
  };
}
