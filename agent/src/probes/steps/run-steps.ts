import { ALWAYS_MS, type HttpStep, type HttpTarget } from '@watchpost/shared/checks/http';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { maskReport } from '@watchpost/shared/secrets/mask-report';
import { Deadline } from '../deadline.js';
import { prepareWithCookies } from '../decide-cookies.js';
import { visitSite, type Visited } from '../http-visit.js';
import { preparedRequest } from '../prepared-request.js';
import type { ProbeContext, ProbeSpec } from '../probe.js';
import { ProbeFault } from '../probe-fault.js';
import { firstRequest, type HttpRequest } from '../request-head.js';
import { visitReport } from '../visit-report.js';
import { decideRun, type StepRun } from './decide-run.js';
import { fillStep, secretPartsOf } from './fill-step.js';
import { RunSoFar } from './run-so-far.js';

/**
 * Runs the request of a monitor and its steps, in order, until one fails; after that those that always run. All have one set of
 * cookies and one deadline.
 */
export async function runSteps(
  spec: ProbeSpec,
  target: HttpTarget,
  context: ProbeContext,
  signal: AbortSignal,
): Promise<ProbeReport> {
  const run = new RunSoFar(target, context.now());
  const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
  let late: Deadline | undefined;
  const visit = async (of: HttpTarget, first: HttpRequest | ProbeFault, by: Deadline, source: string) => {
    const memory = context.bodies.use(spec);
    try {
      const visited = await visitSite({ target: of, first, context, deadline: by, memory, earlier: run });
      run.take(visited, source);
      return await visitReport(of, visited, spec.isTest, true);
    } finally {
      memory.release();
    }
  };
  const runStep = async (step: HttpStep, by: Deadline): Promise<ProbeReport> => {
    const fault = await waitFor(step.delayMs, by);
    const filled = fault ?? fillStep(step, target, run.values, (name) => run.whyMissing(name));
    if (filled instanceof ProbeFault) return visitReport(target, notSent(filled), spec.isTest, true);
    run.hide(filled.headers);
    return visit(filled, stepRequest(step, filled, run, context), by, `step “${step.name}”`);
  };
  try {
    const own = await visit(target, preparedRequest(target, context), deadline, 'the first request');
    const steps: StepRun[] = [];
    let hasFailed = own.outcome.kind !== 'up';
    for (const [at, step] of target.steps.entries()) {
      const isLate = hasFailed;
      if (hasFailed && !step.always) {
        steps.push({ step, report: null, isLate });
        continue;
      }
      // Nor is cleaning up after a healthy run cut short because that took long.
      const isAtEnd = deadline.isOver || target.steps.slice(at).every(({ always }) => always);
      const needsTime = step.always && (hasFailed || (isAtEnd && deadline.leftMs < ALWAYS_MS));
      if (needsTime) late ??= new Deadline(ALWAYS_MS, signal, context.clock, spec);
      const report = await runStep(step, needsTime ? late! : deadline);
      steps.push({ step, report, isLate });
      hasFailed ||= !step.always && report.outcome.kind !== 'up';
    }
    const report = decideRun(own, steps, target.verifyCertificate, spec.isTest === true);
    const isShown = report.evidence !== null || report.steps?.some(({ message }) => message !== null);
    return isShown && run.mask ? maskReport(report, run.mask) : report;
  } finally {
    deadline.dispose();
    late?.dispose();
  }
}

/** The first request of a step, with the cookies of the run. */
function stepRequest(
  step: HttpStep,
  target: HttpTarget,
  { answers, secretNames }: RunSoFar,
  { userAgent }: ProbeContext,
): HttpRequest | ProbeFault {
  const request = firstRequest(target, userAgent);
  if (request instanceof ProbeFault) return request;
  const secretParts = secretPartsOf(step, secretNames);
  if (answers.length === 0) return { ...request, secretParts };
  const url = new URL(request.href);
  return { ...prepareWithCookies(target, { ...request, url }, answers, userAgent, null), secretParts };
}

function notSent(fault: ProbeFault): Visited {
  return { startedAtMs: Date.now(), totalUs: 0, authUs: 0, hops: [], judgement: { fault }, sent: [] };
}

/** Waits before a step. @returns the fault where the check ends first */
function waitFor(delayMs: number, deadline: Deadline): Promise<ProbeFault | null> | null {
  if (delayMs === 0) return null;
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      deadline.leave();
      resolve(null);
    }, delayMs);
    const cancel = (fault: ProbeFault): void => {
      clearTimeout(timer);
      resolve(fault);
    };
    deadline.enter({ timeoutKey: 'delay_timeout', timeoutValues: () => ({ delay: delayMs / 1_000 }), cancel });
  });
}
