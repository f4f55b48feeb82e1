/** Where a check failed, in the order of the phases of a check. */
export type FailurePhase =
  | 'egress'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'auth'
  | 'request'
  | 'firstByte'
  | 'transfer'
  | 'content';

/** Why a target counts as down. `message` is the sentence for people. */
export type DownReason =
  | 'address_not_allowed'
  | 'invalid_target'
  | 'dns_not_found'
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_reset'
  | 'host_unreachable'
  | 'connection_failed'
  | 'tls_failure'
  | 'certificate_invalid'
  | 'certificate_expiring'
  | 'protocol_error'
  | 'timeout'
  | 'auth_failed'
  | 'too_many_redirects'
  | 'bad_redirect'
  | 'unexpected_status'
  | 'keyword_missing'
  | 'keyword_present'
  | 'assertion_failed'
  | 'variable_missing'
  | 'unexpected_answer'
  | 'dns_mismatch';

/** Why a check is inconclusive: the agent is at fault or cannot examine the target, which may be up. */
export type InconclusiveReason =
  | 'agent_late'
  | 'agent_overloaded'
  | 'agent_no_network'
  | 'agent_no_descriptors'
  | 'agent_stopping'
  | 'unsupported';

/** A fault of the target; the sentence has `{placeholders}`. */
interface DownFault {
  kind: 'down';
  phase: FailurePhase;
  reason: DownReason;
  sentence: string;
  /** It follows from a complete response, which is the same however late it is read, although delays can cause its reason. */
  isAnswer?: true;
}

/** A fault of the agent: the state of the target is not known. */
interface AgentFault {
  kind: 'inconclusive';
  reason: InconclusiveReason;
  sentence: string;
}

export type CheckFault = DownFault | AgentFault;

export function down(phase: FailurePhase, reason: DownReason, sentence: string): CheckFault {
  return { kind: 'down', phase, reason, sentence };
}

/** A fault of the target that follows from a complete response. */
export function answered(phase: FailurePhase, reason: DownReason, sentence: string): CheckFault {
  return { kind: 'down', phase, reason, sentence, isAnswer: true };
}

export function agentFault(reason: InconclusiveReason, sentence: string): CheckFault {
  return { kind: 'inconclusive', reason, sentence };
}
