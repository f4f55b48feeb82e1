import { alwaysMs, type CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import { HOME_REGION } from '@watchpost/shared/region';
import { type OneOffCheck, tenancyOf } from '../../monitors/index.js';
import type { Fleet } from '../fleet.js';

/** Added to the check's time-out for the way to the agent and back, ms. */
export const TRANSIT_MS = 3_000;

export interface MonitorTestDeps {
  fleet: Pick<Fleet, 'runNow'>;
  clock: Clock;
}

/**
 * Probes a target once, from the home region. A target that is down is a result, not an error, and so is one that cannot be
 * checked: repeating the test would not change that.
 * @param ownerId the owner whose share of the agents the run uses
 * @throws Fault `unavailable` if no agent can run the check, or the agent is at fault; `rate_limited` if the owner
 * already uses its whole share
 */
export async function testMonitorTarget(
  { fleet, clock }: MonitorTestDeps,
  ownerId: string,
  { target, timeoutMs }: OneOffCheck,
): Promise<CheckResult> {
  const check: CheckSpec = {
    key: { monitorKey: 0, kind: target.kind },
    // A run on demand has no schedule. The interval only serves to compute the freshness of the result.
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
    timeoutMs: timeoutMs + alwaysMs(target) + TRANSIT_MS,
    purpose: 'test',
  });
  const { outcome } = result;
  if (outcome.kind !== 'inconclusive' || outcome.reason === 'unsupported') return result;
  throw new Fault('unavailable', `The test was inconclusive: ${outcome.message} Try again in a moment.`, [], 5);
}
