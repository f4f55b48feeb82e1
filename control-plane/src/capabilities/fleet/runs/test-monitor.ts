import type { CheckResult } from '@watchpost/shared/outcome';
import type { CheckKind } from '@watchpost/shared/check';
import { checkTarget } from '../../monitors/index.js';
import type { MonitorTestInput, MonitorTestView } from './monitor-test-schemas.js';
import { testMonitorTarget, type MonitorTestDeps } from './test-monitor-target.js';

/**
 * Tests a URL once by a kind of check, from the home region.
 * @throws Fault `unavailable` if no agent can run the check, or its result is inconclusive
 */
export async function testMonitor(
  deps: MonitorTestDeps,
  ownerId: string,
  kind: CheckKind,
  { url, settings, timeoutMs }: MonitorTestInput,
): Promise<MonitorTestView> {
  const target = checkTarget(kind, url, settings, () => ({}))!;
  return describe(await testMonitorTarget(deps, ownerId, target, timeoutMs));
}

function describe({ outcome, startedAtMs, totalUs, statusCode, timings, evidence }: CheckResult): MonitorTestView {
  return {
    responseTime: totalUs / 1_000,
    statusCode,
    wasAvailable: outcome.kind === 'up',
    started: new Date(startedAtMs).toISOString(),
    ended: new Date(startedAtMs + Math.round(totalUs / 1_000)).toISOString(),
    failureReason: outcome.kind === 'up' ? null : outcome.message,
    notes: evidence?.notes ?? [],
    phases: {
      dns: timings.dnsUs / 1_000,
      connect: timings.connectUs / 1_000,
      tls: timings.tlsUs / 1_000,
      firstByte: timings.firstByteUs / 1_000,
      transfer: timings.transferUs / 1_000,
    },
  };
}
