import type { DownReason, InconclusiveReason, Outcome, ProbeReport } from '@watchpost/shared/outcome';

/** What is known about the agent itself at the time of a check. */
export interface AgentCondition {
  /** The longest delay of our event loop while the check ran, µs. */
  loopLagMaxUs: number;
  /** All such delays together, µs. */
  loopLagTotalUs: number;
  timeoutMs: number;
  /** The agent ended the check because it stops. */
  stopping: boolean;
  /** The machine has an address beyond its own loopback. (Whether its resolver lives is the probe's to find out.) */
  hasRoute: boolean;
  /** None of the reference targets answers, or without any: cut off, and everything fails. */
  isBlind: boolean;
}

/** A timeout says nothing about the target where we slept through this share of it. */
const STOLEN_SHARE = 0.2;
/** A single delay that is long enough for a peer to lose patience: 250 ms, of which a sample may miss the first. */
const LONG_DELAY_US = 240_000;

/** What can be the doing of a slow reader. Anything else the target really said, however late we listened. */
const SPOILED_BY_DELAY: ReadonlySet<DownReason> = new Set([
  'connection_reset',
  'connection_failed',
  'tls_failure',
  'protocol_error',
  'dns_failure',
]);
/** What only the target itself can say, however late it is heard. */
const ANSWERS: ReadonlySet<DownReason> = new Set([
  'connection_refused',
  'unexpected_status',
  'keyword_missing',
  'keyword_present',
  'unexpected_answer',
  'dns_mismatch',
  'bad_redirect',
  'too_many_redirects',
  'certificate_invalid',
  'certificate_expiring',
]);
const SPOILED_BY_NO_ROUTE: ReadonlySet<DownReason> = new Set([
  'host_unreachable',
  'connection_failed',
  'dns_failure',
  'timeout',
]);
/** All that a lost network can make; what the target itself answered it cannot. */
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

/** Whether a failure could be that of the agent's network: then it is worth a look at the reference targets. */
export function isDoubtful(outcome: Outcome): boolean {
  return outcome.kind === 'down' && SPOILED_BY_BLINDNESS.has(outcome.reason);
}

/**
 * Whether a check says something about its target, or about the agent only. What succeeded stays a success, a
 * failure that could be our own fault becomes inconclusive. A whole answer and a refused connection are the target's own
 * word, however busy the agent is or however late it reads them: only what depends on time can be the agent's doing. Without
 * a network, somebody on the way may have answered in the target's place, unless it was over verified TLS.
 */
export function decideConclusive(outcome: Outcome, agent: AgentCondition, answer?: ProbeReport['answer']): Outcome {
  if (outcome.kind !== 'down' || answer === 'verified') return outcome;
  const isAnswer = answer !== undefined || ANSWERS.has(outcome.reason);
  if (agent.stopping && !isAnswer) return inconclusive('agent_stopping', 'The agent stopped while this check ran.');
  if (!agent.hasRoute && SPOILED_BY_NO_ROUTE.has(outcome.reason)) {
    return inconclusive('agent_no_network', 'The agent has no network: it has no address beyond its own loopback.');
  }
  if (agent.isBlind && isDoubtful(outcome)) {
    return inconclusive('agent_no_network', `The agent had lost its network. It saw: ${outcome.message}`);
  }
  if (isAnswer) return outcome;
  const stolen = outcome.reason === 'timeout' && agent.loopLagTotalUs >= agent.timeoutMs * 1000 * STOLEN_SHARE;
  if (stolen || (SPOILED_BY_DELAY.has(outcome.reason) && agent.loopLagMaxUs >= LONG_DELAY_US)) {
    return inconclusive(
      'agent_overloaded',
      `The agent was too busy to tell: its event loop was late by ${Math.round(agent.loopLagTotalUs / 1000)} ms while this check ran.`,
    );
  }
  return outcome;
}

export function inconclusive(reason: InconclusiveReason, message: string): Outcome {
  return { kind: 'inconclusive', reason, message };
}
