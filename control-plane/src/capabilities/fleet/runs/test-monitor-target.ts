import type { CheckSpec, ProbeTarget } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import { HOME_REGION } from '@watchpost/shared/region';
import { tenancyOf } from '../../monitors/index.js';
import type { Fleet } from '../fleet.js';

/** Beyond the check's own time-out: the way to the agent and back. */
export const TRANSIT_MS = 3_000;

export interface MonitorTestDeps {
  fleet: Pick<Fleet, 'runNow'>;
  clock: Clock;
}

/**
 * Probes a target once, from the home region. It may do what it likes: that is the answer.
 * @param ownerId whose share of the agents it takes
 * @throws Fault `unavailable` where no agent is there to run it, or the one that ran it could not tell; `rate_limited`
 * where the owner has as many running as it may
 */
export async function testMonitorTarget(
  { fleet, clock }: MonitorTestDeps,
  ownerId: string,
  target: ProbeTarget,
  timeoutMs: number,
): Promise<CheckResult> {
  const check: CheckSpec = {
    key: { monitorKey: 0, kind: target.kind },
    // Nothing of a schedule holds for a run on demand; the interval is only what a result's freshness is worked out from.
    intervalMs: 60_000,
    timeoutMs,
    phaseMs: 0,
    changedAtMs: clock.now(),
    target,
    ...tenancyOf(ownerId, target),
  };
  const result = await fleet.runNow({
    region: HOME_REGION,
    check,
    timeoutMs: timeoutMs + TRANSIT_MS,
    purpose: 'test',
  });
  if (result.outcome.kind !== 'inconclusive') return result;
  throw new Fault('unavailable', `The agent could not tell: ${result.outcome.message} Try again in a moment.`, [], 5);
}
