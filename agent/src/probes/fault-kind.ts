import type { DownReason, FailurePhase, InconclusiveReason } from '@watchpost/shared/outcome';

/** A target's fault, and the sentence about it with `{places}` to be filled in. */
export interface DownFault {
  kind: 'down';
  phase: FailurePhase;
  reason: DownReason;
  sentence: string;
}

/** A fault of the agent's own: it says nothing about the target. */
export interface OwnFault {
  kind: 'inconclusive';
  reason: InconclusiveReason;
  sentence: string;
}

export function down(phase: FailurePhase, reason: DownReason, sentence: string): DownFault {
  return { kind: 'down', phase, reason, sentence };
}

export function ours(reason: InconclusiveReason, sentence: string): OwnFault {
  return { kind: 'inconclusive', reason, sentence };
}
