import type { Evidence, Outcome, ProbeReport } from '@watchpost/shared/outcome';
import { answerDigest } from './answer-digest.js';
import type { Deadline } from './deadline.js';
import type { ProbeFault } from './probe-fault.js';
import { usSince, type Reach } from './reach-host.js';

export const UP: Outcome = { kind: 'up' };

/** The report of a check with one place. It contains the evidence if the target is at fault. */
export function reachReport(
  startedAtMs: number,
  deadline: Deadline,
  reach: Reach,
  fault: ProbeFault | null,
  evidence: Evidence = {},
): ProbeReport {
  const resolved = reach.resolved.length > 0 ? { resolved: [...reach.resolved] } : {};
  return {
    outcome: fault ? fault.toOutcome() : UP,
    startedAtMs,
    totalUs: usSince(deadline.startedAt) - reach.queuedUs,
    timings: reach.timings,
    statusCode: null,
    address: reach.address,
    evidence: fault && !fault.isAgentFault ? { ...evidence, ...resolved } : null,
    ...(reach.tried === undefined ? {} : { tried: reach.tried }),
    ...(reach.warnings ? { addressWarnings: reach.warnings } : {}),
    ...(fault?.isAnswer ? { answer: 'complete' as const } : {}),
    ...(fault?.key === 'service_unexpected'
      ? { answer: 'complete' as const, answerDigest: answerDigest(null, evidence.received) }
      : {}),
  };
}
