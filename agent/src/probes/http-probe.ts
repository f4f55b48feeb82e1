import type { HttpTarget } from '@watchpost/shared/checks/http';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { maskReport } from '@watchpost/shared/secrets/mask-report';
import { createSecretMask } from '@watchpost/shared/secrets/secret-mask';
import { Deadline } from './deadline.js';
import { visitSite } from './http-visit.js';
import { preparedRequest } from './prepared-request.js';
import type { Probe, ProbeContext, ProbeSpec } from './probe.js';
import { visitReport } from './visit-report.js';

/**
 * Checks a website as a first-time visitor sees it: new connections, no resumed session, the egress policy applied to every
 * redirect, and one deadline for all of it.
 */
export const probeHttp: Probe<HttpTarget> = async (spec, target, context, signal) => {
  if (target.steps.length > 0) return (await import('./steps/run-steps.js')).runSteps(spec, target, context, signal);
  return checkSite(spec, target, context, signal);
};

async function checkSite(
  spec: ProbeSpec,
  target: HttpTarget,
  context: ProbeContext,
  signal: AbortSignal,
): Promise<ProbeReport> {
  const memory = context.bodies.use(spec);
  const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
  const first = preparedRequest(target, context);
  try {
    const visited = await visitSite({ target, first, context, deadline, memory, earlier: null });
    deadline.dispose();
    const report = await visitReport(target, visited, spec.isTest, false);
    const mask = visited.sent.length > 0 ? createSecretMask(visited.sent) : null;
    return mask ? maskReport(report, mask) : report;
  } finally {
    deadline.dispose();
    memory.release();
  }
}
