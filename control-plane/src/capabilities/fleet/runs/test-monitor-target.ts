import { alwaysMs, type CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Transactions } from '../../../platform/db/database.js';
import type { WorkspaceAccess } from '../../../platform/identity/caller.js';
import { placeOfTest } from '../../locations/index.js';
import { type OneOffCheck, tenancyOf } from '../../monitors/index.js';
import type { Fleet } from '../fleet.js';

/** Added to the check's time-out for the way to the agent and back, ms. */
export const TRANSIT_MS = 3_000;

export interface MonitorTestDeps {
  db: Transactions;
  fleet: Pick<Fleet, 'runNow'>;
  clock: Clock;
}

export type TestingWorkspace = Pick<WorkspaceAccess, 'workspaceId' | 'ownerId'>;

/**
 * Probes a target once, from the home region or a private location. A target that is down is a result, not an error, and so is one that cannot be
 * checked: repeating the test would not change that.
 * @param workspace its owner's share of the agents is used
 * @throws Fault `validation_failed` as `placeOfTest`; `unavailable` if no agent can run the check, or the agent is at fault; `rate_limited` if the owner
 * already uses its whole share
 */
export async function testMonitorTarget(
  { db, fleet, clock }: MonitorTestDeps,
  { workspaceId, ownerId }: TestingWorkspace,
  test: OneOffCheck,
): Promise<CheckResult & { region: Region }> {
  const { target, timeoutMs } = test;
  const { place, region } = await placeOfTest(db, workspaceId, test);
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
    region: place,
    check,
    timeoutMs: timeoutMs + alwaysMs(target) + TRANSIT_MS,
    purpose: 'test',
  });
  const { outcome } = result;
  if (outcome.kind !== 'inconclusive' || outcome.reason === 'unsupported') return { ...result, region };
  throw new Fault('unavailable', `The test was inconclusive: ${outcome.message} Try again in a moment.`, [], 5);
}
