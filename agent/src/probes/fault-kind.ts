import type { DownReason, FailurePhase, InconclusiveReason } from '@watchpost/shared/outcome';

/** A fault of the target; the sentence has `{placeholders}`. */
export interface DownFault {
  kind: 'down';
  phase: FailurePhase;
  reason: DownReason;
  sentence: string;
}

/** A fault of the agent: the state of the target is not known. */
export interface AgentFault {
  kind: 'inconclusive';
  reason: InconclusiveReason;
  sentence: string;
}

export function down(phase: FailurePhase, reason: DownReason, sentence: string): DownFault {
  return { kind: 'down', phase, reason, sentence };
}

export function agentFault(reason: InconclusiveReason, sentence: string): AgentFault {
  return { kind: 'inconclusive', reason, sentence };
}
