import type { CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import { HOME_REGION } from '@watchpost/shared/region';
import { parseExpectedStatus } from '../monitors/index.js';
import type { Fleet } from './fleet.js';
import type { MonitorTestInput, MonitorTestView } from './monitor-test-schemas.js';

/** Beyond the check's own time-out: the way to the agent and back. */
export const TRANSIT_MS = 3_000;

export interface MonitorTestDeps {
  fleet: Pick<Fleet, 'runNow'>;
  clock: Clock;
}

/**
 * Tests a URL once, from the home region. The target may do what it likes: that is the answer.
 * @throws Fault `unavailable` where no agent is there to run it, or the one that ran it could not tell
 */
export async function testMonitor(
  { fleet, clock }: MonitorTestDeps,
  input: MonitorTestInput,
): Promise<MonitorTestView> {
  const result = await fleet.runNow(HOME_REGION, specOf(input, clock.now()), input.timeoutMs + TRANSIT_MS);
  if (result.outcome.kind === 'inconclusive') {
    throw new Fault('unavailable', `The agent could not tell: ${result.outcome.message} Try again in a moment.`, [], 5);
  }
  return describe(result);
}

function specOf({ url, http, timeoutMs }: MonitorTestInput, nowMs: number): CheckSpec {
  return {
    key: { monitorKey: 0, kind: 'http' },
    // Nothing of a schedule holds for a run on demand; the interval is only what a result's freshness is worked out from.
    intervalMs: 60_000,
    timeoutMs,
    phaseMs: 0,
    changedAtMs: nowMs,
    target: {
      kind: 'http',
      url,
      method: http.method,
      headers: Object.entries(http.headers).map(([name, value]) => ({ name, value })),
      body: http.body,
      expectedStatus: http.expectedStatusCodes.flatMap((code) => parseExpectedStatus(code) ?? []),
      followRedirects: http.followRedirects,
      keyword: http.keyword === null ? null : { text: http.keyword, mode: http.keywordMode },
      verifyCertificate: http.verifyCertificate,
      egress: 'monitor',
    },
  };
}

function describe({ outcome, startedAtMs, totalUs, statusCode, timings }: CheckResult): MonitorTestView {
  return {
    responseTime: totalUs / 1_000,
    statusCode,
    wasAvailable: outcome.kind === 'up',
    started: new Date(startedAtMs).toISOString(),
    ended: new Date(startedAtMs + Math.round(totalUs / 1_000)).toISOString(),
    failureReason: outcome.kind === 'up' ? null : outcome.message,
    phases: {
      dns: timings.dnsUs / 1_000,
      connect: timings.connectUs / 1_000,
      tls: timings.tlsUs / 1_000,
      firstByte: timings.firstByteUs / 1_000,
      transfer: timings.transferUs / 1_000,
    },
  };
}
