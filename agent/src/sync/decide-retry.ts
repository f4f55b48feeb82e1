import { backoffMs, type BackoffOptions } from '@watchpost/shared/backoff';

/** How a stream ended. `code` is a gRPC status code. */
export interface SessionEnd {
  code: number;
  details: string;
  /** It worked for a while: the next failure begins a new series of retries. */
  healthy: boolean;
  /** The control plane asked the agent to reconnect. */
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
    'the control plane does not accept this AGENT_TOKEN or certificate; make a new token with `npm run admin -- agents create` or `reissue`',
  ],
  [PERMISSION_DENIED, 'the control plane has revoked this agent'],
  [FAILED_PRECONDITION, 'the control plane does not support this version of the agent'],
]);

/** Whether the token itself is refused, so that its checks must not run any more. */
export function isTokenRefused(code: number): boolean {
  return code === UNAUTHENTICATED || code === PERMISSION_DENIED;
}

/**
 * What to do after a stream has ended. Three statuses are permanent refusals, unless they come from a proxy: its 401 or
 * 403 must not stop a fleet.
 * @param attempt the number of consecutive ends without a healthy session before this one
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
