import type { DownReason, InconclusiveReason } from '@watchpost/shared/checks/fault-kind';
import type { Outcome, ProbeReport } from '@watchpost/shared/outcome';

export interface AgentCondition {
  /** The longest delay of the event loop during the check, or a suspension of the machine; µs. */
  loopLagMaxUs: number;
  /** All such delays together, µs. */
  loopLagTotalUs: number;
  timeoutMs: number;
  /** The agent ended the check because it stops. */
  stopping: boolean;
  /** The machine has an address beyond its own loopback. (Its resolver is examined by the probe.) */
  hasRoute: boolean;
  /** No reference target answers; or, without reference targets: it is disconnected and every check fails. */
  isBlind: boolean;
}

/** A timeout is inconclusive if the event loop was blocked for this share of it. */
export const BLOCKED_SHARE = 0.2;
/** A delay after which a peer may give up: 250 ms, of which a sample can miss the first 10. */
const LONG_DELAY_US = 240_000;

/** Failures that a slow reader can cause. */
const SPOILED_BY_DELAY: ReadonlySet<DownReason> = new Set([
  'connection_reset',
  'connection_failed',
  'tls_failure',
  'protocol_error',
  'dns_failure',
  // Here it is about the response time; any other one follows from a response.
  'assertion_failed',
]);
/** Failures that follow from a response of the target, whenever it is read. */
const ANSWERS: ReadonlySet<DownReason> = new Set([
  'connection_refused',
  'unexpected_status',
  'keyword_missing',
  'keyword_present',
  'variable_missing',
  'unexpected_answer',
  'dns_mismatch',
  'bad_redirect',
  'too_many_redirects',
  'auth_failed',
  'certificate_invalid',
  'certificate_expiring',
]);
const SPOILED_BY_NO_ROUTE: ReadonlySet<DownReason> = new Set([
  'host_unreachable',
  'connection_failed',
  'dns_failure',
  'timeout',
]);
/** Failures that a lost network can cause. */
const SPOILED_BY_BLINDNESS: ReadonlySet<DownReason> = new Set([
  'dns_not_found',
  'dns_failure',
  'connection_refused',
  'connection_reset',
  'host_unreachable',
  'connection_failed',
  'tls_failure',
  'certificate_invalid',
  'protocol_error',
  'timeout',
]);

/**
 * Whether a lost network of the agent can cause this failure, where a device on the way may answer for all sites: only then
 * are the reference targets checked.
 */
export function canBeBlindness(outcome: Outcome, answer?: ProbeReport['answer']): boolean {
  const fault = faultOf(outcome);
  return fault !== null && (SPOILED_BY_BLINDNESS.has(fault.reason) || answer === 'complete');
}

/** Returns what an outcome states against the target: a failure, or that it is degraded. */
function faultOf(outcome: Outcome): { reason: DownReason; message: string } | null {
  if (outcome.kind === 'down') return outcome;
  if (outcome.kind === 'inconclusive' || outcome.degraded === undefined) return null;
  return { reason: 'assertion_failed', message: outcome.degraded };
}

/**
 * Decides whether a failure is the target's, or may be the agent's and is inconclusive; so too where the target is degraded. Any
 * other success stays a success. A complete response and a refused connection come from the target, however busy the agent is; only failures that depend on
 * time can be the agent's. In a lost network, a device on the way can answer for the target, except over verified TLS.
 */
export function decideConclusive(outcome: Outcome, agent: AgentCondition, answer?: ProbeReport['answer']): Outcome {
  const fault = faultOf(outcome);
  if (fault === null || answer === 'verified') return outcome;
  const { reason, message } = fault;
  const isAnswer = answer !== undefined || ANSWERS.has(reason);
  if (agent.stopping && !isAnswer) return inconclusive('agent_stopping', 'The agent stopped while this check ran.');
  if (!agent.hasRoute && SPOILED_BY_NO_ROUTE.has(reason)) {
    return inconclusive('agent_no_network', 'The agent has no network: its machine has no address except loopback.');
  }
  if (agent.isBlind && canBeBlindness(outcome, answer)) {
    return inconclusive('agent_no_network', `The agent had lost its network. The check found: ${message}`);
  }
  if (isAnswer) return outcome;
  const isOwnTimeout = reason === 'timeout' && agent.loopLagTotalUs >= agent.timeoutMs * 1000 * BLOCKED_SHARE;
  if (isOwnTimeout || (SPOILED_BY_DELAY.has(reason) && agent.loopLagMaxUs >= LONG_DELAY_US)) {
    return inconclusive(
      'agent_overloaded',
      `The agent was too busy to judge: its event loop was delayed by ${Math.round(agent.loopLagTotalUs / 1000)} ms during this check.`,
    );
  }
  return outcome;
}

export function inconclusive(reason: InconclusiveReason, message: string): Outcome {
  return { kind: 'inconclusive', reason, message };
}
