import type { HttpStep } from '@watchpost/shared/checks/http';
import {
  MOST_ADDRESSES,
  type HopEvidence,
  type Outcome,
  type ProbeReport,
  type StepResult,
} from '@watchpost/shared/outcome';
import { answerDigest } from '../answer-digest.js';
import { sumTimings } from '../sum-timings.js';

export interface StepRun {
  step: Pick<HttpStep, 'name' | 'always'>;
  /** Null: it did not run. */
  report: ProbeReport | null;
  /** It follows a failure, and counts in no time and in no verdict. */
  isLate: boolean;
}

interface Part {
  name: string | null;
  report: ProbeReport;
}

/**
 * The report of a run of several requests. The verdict is that of the first one that fails, or else that degrades the monitor, or else of the
 * last one; steps that always run have none.
 */
export function decideRun(
  own: ProbeReport,
  steps: readonly StepRun[],
  isVerifying: boolean,
  isTest: boolean,
): ProbeReport {
  const first: Part = { name: null, report: own };
  const parts = [first, ...steps.flatMap(({ step: { name }, report }) => (report ? [{ name, report }] : []))];
  const judged = [
    first,
    ...steps.flatMap(({ step, report, isLate }) =>
      report && !isLate && !step.always ? [{ name: step.name, report }] : [],
    ),
  ];
  const failed = judged.find(({ report }) => report.outcome.kind !== 'up');
  const degraded = judged.find(({ report: { outcome } }) => outcome.kind === 'up' && outcome.degraded !== undefined);
  const { name, report } = failed ?? degraded ?? judged.at(-1)!;
  const counted = [own, ...steps.flatMap((one) => (one.report && !one.isLate ? [one.report] : []))];
  const hops = parts.flatMap((part) => {
    const own = (part.report.evidence?.hops ?? []).map((hop) => named(hop, part.name));
    const last = own.at(-1);
    return last && part.report === report ? [...own.slice(0, -1), { ...last, isDecisive: true as const }] : own;
  });
  const { outcome, evidence } = report;
  const isShown = outcome.kind === 'down' || degraded !== undefined || isTest;
  const { hops: _hops, ...rest } = evidence ?? {};
  const shown = { ...rest, ...(isShown && hops.length > 0 && { hops }) };
  const warnings = parts.flatMap((part) => part.report.addressWarnings ?? []).slice(0, MOST_ADDRESSES);
  return {
    outcome: name === null ? outcome : inStep(name, outcome),
    startedAtMs: own.startedAtMs,
    totalUs: counted.reduce((sum, { totalUs }) => sum + totalUs, 0),
    timings: sumTimings(counted.map(({ timings }) => timings)),
    statusCode: report.statusCode,
    address: report.address,
    ...(report.tried === undefined ? {} : { tried: report.tried }),
    evidence: outcome.kind !== 'inconclusive' && Object.keys(shown).length > 0 ? shown : null,
    ...(warnings.length > 0 ? { addressWarnings: warnings } : {}),
    ...(own.certificateFingerprint === undefined ? {} : { certificateFingerprint: own.certificateFingerprint }),
    ...answerOf(report, isVerifying && hops.every(({ url }) => url.startsWith('https:'))),
    steps: steps.map(resultOf),
  };
}

/** Nothing can have forged the verdict only where that is so of every request that led to it. */
function answerOf(
  { answer, answerDigest: digest, statusCode, evidence, outcome }: ProbeReport,
  isVerified: boolean,
): Pick<ProbeReport, 'answer' | 'answerDigest'> {
  if (answer === undefined) return {};
  if (answer === 'verified' && isVerified) return { answer };
  if (digest !== undefined) return { answer: 'complete', answerDigest: digest };
  const isWhole = answer === 'verified' && outcome.kind === 'down' && statusCode !== null;
  return {
    answer: 'complete',
    ...(isWhole && { answerDigest: answerDigest(statusCode, evidence?.bodyStart) }),
  };
}

function named(hop: HopEvidence, step: string | null): HopEvidence {
  return step === null ? hop : { ...hop, step };
}

function inStep(name: string, outcome: Outcome): Outcome {
  const prefix = `Step “${name}”: `;
  if (outcome.kind !== 'up') return { ...outcome, message: prefix + outcome.message };
  return outcome.degraded === undefined ? outcome : { ...outcome, degraded: prefix + outcome.degraded };
}

function resultOf({ step: { name }, report, isLate }: StepRun): StepResult {
  if (report === null)
    return { name, wasAvailable: null, statusCode: null, totalUs: null, timings: null, message: null };
  const { outcome, statusCode, totalUs, timings } = report;
  return {
    name,
    wasAvailable: outcome.kind === 'inconclusive' ? null : outcome.kind === 'up',
    statusCode,
    totalUs: isLate ? null : totalUs,
    timings: isLate ? null : timings,
    message: outcome.kind === 'up' ? null : outcome.message,
  };
}
