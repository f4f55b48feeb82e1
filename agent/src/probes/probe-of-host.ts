import type { Evidence, ProbeReport } from '@watchpost/shared/outcome';
import { Deadline } from './deadline.js';
import { placeAt, type Place } from './place.js';
import type { Probe, ProbeContext, ProbeSpec } from './probe.js';
import type { ProbeFault } from './probe-fault.js';
import { type Reach, reachOf } from './reach-host.js';
import { reachReport } from './reach-report.js';

/** A check of one host under way. */
export interface HostCheck<Target> {
  spec: ProbeSpec;
  target: Target;
  context: ProbeContext;
  place: Place;
  reach: Reach;
  deadline: Deadline;
  report(fault: ProbeFault | null, evidence?: Evidence): ProbeReport;
}

/** A probe of the host of a target, which ends by its deadline. */
export function probeOfHost<Target extends { host: string; port?: number }>(
  probe: (check: HostCheck<Target>) => Promise<ProbeReport>,
): Probe<Target> {
  return async (spec, target, context, signal) => {
    const startedAtMs = Date.now();
    const { host, port = 0 } = target;
    const place = placeAt(host, port);
    const reach = reachOf(place);
    const deadline = new Deadline(spec.timeoutMs, signal, context.clock, spec);
    const report: HostCheck<Target>['report'] = (fault, evidence) =>
      reachReport(startedAtMs, deadline, reach, fault, evidence);
    try {
      return await probe({ spec, target, context, place, reach, deadline, report });
    } finally {
      deadline.dispose();
    }
  };
}
