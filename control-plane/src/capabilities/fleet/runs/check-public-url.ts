import type { CheckSpec } from '@watchpost/shared/check';
import { httpCheck } from '@watchpost/shared/checks/http';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import { HOME_REGION } from '@watchpost/shared/region';
import { tenancyOf } from '../../monitors/index.js';
import type { Fleet } from '../fleet.js';

/** How long the request may take, ms. */
export const PUBLIC_CHECK_MS = 10_000;
/** Added to the time-out for the way to the agent and back, ms. */
const TRANSIT_MS = 3_000;
/** All anonymous callers together are one owner. */
const PUBLIC_OWNER = 'public';
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
 * Requests any URL once, without authentication. The request leaves from the home region. The agent applies the public
 * egress policy to the address that it connects to. Redirects are not followed. The status of the answer decides, also
 * if reading the body fails. Nothing of the body is kept.
 * @throws Fault `unavailable` if no agent can run the check, or its result is inconclusive; `rate_limited` if the share of
 * the agents that all public checks have together is in use
 */
export async function checkPublicUrl({ fleet, clock }: PublicCheckDeps, input: PublicCheckInput) {
  const result = await fleet.runNow({
    region: HOME_REGION,
    check: specOf(input, clock.now()),
    timeoutMs: PUBLIC_CHECK_MS + TRANSIT_MS,
    purpose: 'public',
  });
  if (result.outcome.kind === 'inconclusive' && result.statusCode === null) {
    throw new Fault(
      'unavailable',
      `The check was inconclusive: ${result.outcome.message} Try again in a moment.`,
      [],
      5,
    );
  }
  return describe(input, result);
}

function specOf({ url, method }: PublicCheckInput, nowMs: number): CheckSpec {
  const named = { url, method, expectedStatus: [AVAILABLE], followRedirects: false, egress: 'public' };
  const target = httpCheck.target.parse(named);
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

/** Does not reveal the internal address of a name, because an anonymous caller could look up one name after the other. */
function describeFault(outcome: CheckResult['outcome']): string {
  if (outcome.kind === 'up') return '';
  return outcome.reason === 'address_not_allowed'
    ? 'The host is not on the public internet. This tool checks public hosts only.'
    : outcome.message;
}
