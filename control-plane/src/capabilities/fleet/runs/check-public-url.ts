import type { CheckSpec, HttpTarget } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import { HOME_REGION } from '@watchpost/shared/region';
import { PUBLIC_OWNER, tenancyOf } from '../../monitors/index.js';
import type { Fleet } from '../fleet.js';

/** The longest that the one request may take. */
export const PUBLIC_CHECK_MS = 10_000;
/** The way to the agent and back. */
const TRANSIT_MS = 3_000;
const AVAILABLE = { from: 200, to: 399 };

export interface PublicCheckDeps {
  fleet: Pick<Fleet, 'runNow'>;
  clock: Clock;
}

export interface PublicCheckInput {
  url: string;
  method: 'GET' | 'HEAD';
}

/**
 * One request to any URL, for anybody: from the home region and under the public egress policy, which the agent holds the
 * address against that it really connects to. A redirect is not followed. The status of the answer decides, whatever
 * becomes of its body, of which nothing is kept.
 * @throws Fault `unavailable` where no agent is there to run it, or the one that ran it could not tell; `rate_limited`
 * where as many run as strangers together may have
 */
export async function checkPublicUrl({ fleet, clock }: PublicCheckDeps, input: PublicCheckInput) {
  const result = await fleet.runNow({
    region: HOME_REGION,
    check: specOf(input, clock.now()),
    timeoutMs: PUBLIC_CHECK_MS + TRANSIT_MS,
    purpose: 'public',
  });
  if (result.outcome.kind === 'inconclusive' && result.statusCode === null) {
    throw new Fault('unavailable', `The agent could not tell: ${result.outcome.message} Try again in a moment.`, [], 5);
  }
  return describe(input, result);
}

function specOf({ url, method }: PublicCheckInput, nowMs: number): CheckSpec {
  const target: HttpTarget = {
    kind: 'http',
    url,
    method,
    headers: [],
    body: null,
    expectedStatus: [AVAILABLE],
    followRedirects: false,
    keyword: null,
    verifyCertificate: true,
    egress: 'public',
  };
  return {
    key: { monitorKey: 0, kind: 'http' },
    intervalMs: 60_000,
    timeoutMs: PUBLIC_CHECK_MS,
    phaseMs: 0,
    changedAtMs: nowMs,
    target,
    ...tenancyOf(PUBLIC_OWNER, target),
  };
}

function describe({ url, method }: PublicCheckInput, { outcome, statusCode, startedAtMs, totalUs }: CheckResult) {
  const isAvailable = statusCode !== null && statusCode >= AVAILABLE.from && statusCode <= AVAILABLE.to;
  return {
    url,
    method,
    statusCode,
    isAvailable,
    latencyMs: totalUs / 1_000,
    checkedAtUtc: new Date(startedAtMs).toISOString(),
    error: isAvailable ? '' : describeFault(outcome),
  };
}

/** Strangers do not learn which inside address a name has: they could ask for one name after the other. */
function describeFault(outcome: CheckResult['outcome']): string {
  if (outcome.kind === 'up') return '';
  return outcome.reason === 'address_not_allowed'
    ? 'The host is not on the public internet: it is not checked from here.'
    : outcome.message;
}
