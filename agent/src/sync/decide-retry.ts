import { backoffMs, type BackoffOptions } from '@watchpost/shared/backoff';

/** How a stream ended. `code` is a gRPC status code. */
export interface SessionEnd {
  code: number;
  details: string;
  /** It did its work for a while: what follows is a new trouble, not the old one going on. */
  healthy: boolean;
  /** The control plane asked us to connect again, elsewhere. */
  drained: boolean;
}

export type AfterSession = { kind: 'refused'; message: string } | { kind: 'retry'; waitMs: number; attempt: number };

export const RECONNECT: BackoffOptions = { initialMs: 500, maxMs: 5_000, factor: 2 };

const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;
const FAILED_PRECONDITION = 9;
const REFUSALS = new Map([
  [
    UNAUTHENTICATED,
    'the control plane does not take this AGENT_TOKEN or certificate: `npm run admin -- agents create` (or `reissue`) makes a token',
  ],
  [PERMISSION_DENIED, 'the control plane has revoked this agent'],
  [FAILED_PRECONDITION, 'the control plane does not support this version of the agent'],
]);

/** Whether the token itself is refused, so that what was assigned to it is no longer ours to check. */
export function isTokenRefused(code: number): boolean {
  return code === UNAUTHENTICATED || code === PERMISSION_DENIED;
}

/**
 * What to do after a stream has ended. Three statuses are refusals that no retry can mend; a proxy's own
 * 401 or 403 is not the control plane speaking, and must not stop a fleet.
 * @param attempt how many ends in a row without a healthy session came before
 * @param random in [0, 1)
 */
export function decideAfterSession(end: SessionEnd, attempt: number, random: number): AfterSession {
  const refusal = REFUSALS.get(end.code);
  const isProxy = /received http status code/i.test(end.details);
  if (refusal && !isProxy) return { kind: 'refused', message: `${refusal} (${end.details})` };
  if (end.drained) return { kind: 'retry', waitMs: Math.round(random * RECONNECT.initialMs), attempt: 0 };
  const current = end.healthy ? 0 : attempt;
  return { kind: 'retry', waitMs: backoffMs(current, random, RECONNECT), attempt: current + 1 };
}
