import type { CheckSpec } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import { HOME_REGION } from '@watchpost/shared/region';
import type { Fleet } from '../fleet.js';

/** The longest that the one request may take, redirects included. */
export const PUBLIC_CHECK_MS = 10_000;
/** The way to the agent and back. */
const TRANSIT_MS = 3_000;

export interface PublicCheckDeps {
  fleet: Pick<Fleet, 'runNow'>;
  clock: Clock;
}

export interface PublicCheckInput {
  url: string;
  method: 'GET' | 'HEAD';
}

/**
 * One request to any URL, for anybody: from the home region and under the public egress policy, which the agent holds
 * every address against that it really connects to, at every redirect. What the target does is the answer, and nothing of
 * its body is kept.
 * @throws Fault `unavailable` where no agent is there to run it, or the one that ran it could not tell
 */
export async function checkPublicUrl({ fleet, clock }: PublicCheckDeps, input: PublicCheckInput) {
  const result = await fleet.runNow(HOME_REGION, specOf(input, clock.now()), PUBLIC_CHECK_MS + TRANSIT_MS);
  if (result.outcome.kind === 'inconclusive') {
    throw new Fault('unavailable', `The agent could not tell: ${result.outcome.message} Try again in a moment.`, [], 5);
  }
  return describe(input, result);
}

function specOf({ url, method }: PublicCheckInput, nowMs: number): CheckSpec {
  return {
    key: { monitorKey: 0, kind: 'http' },
    intervalMs: 60_000,
    timeoutMs: PUBLIC_CHECK_MS,
    phaseMs: 0,
    changedAtMs: nowMs,
    target: {
      kind: 'http',
      url,
      method,
      headers: [],
      body: null,
      expectedStatus: [{ from: 200, to: 399 }],
      followRedirects: true,
      keyword: null,
      verifyCertificate: true,
      egress: 'public',
    },
  };
}

function describe({ url, method }: PublicCheckInput, { outcome, statusCode, startedAtMs, totalUs }: CheckResult) {
  const isAvailable = outcome.kind === 'up';
  return {
    url,
    method,
    statusCode,
    isAvailable,
    latencyMs: totalUs / 1_000,
    checkedAtUtc: new Date(startedAtMs).toISOString(),
    error: isAvailable ? '' : toldTo(outcome),
  };
}

/** Which address a name has inside is nothing for strangers: they could ask for one name after the other. */
function toldTo(outcome: Exclude<CheckResult['outcome'], { kind: 'up' }>): string {
  return outcome.reason === 'address_not_allowed'
    ? 'The host, or one that it redirects to, is not on the public internet: it is not checked from here.'
    : outcome.message;
}
