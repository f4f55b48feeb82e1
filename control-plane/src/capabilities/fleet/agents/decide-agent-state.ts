import type { AgentDetails, AgentStatus } from './agent-store.js';

/** How an agent is, as far as anybody can tell; `new` was never heard of, `blind` says that it has lost its network. */
export type AgentState = 'connected' | 'blind' | 'silent' | 'draining' | 'revoked' | 'new';

/** An agent is heard every 5 s, and that is written down 3 s later at the latest. */
const HEARD_WITHIN_MS = 15_000;

export function decideAgentState(
  { status, lastSeen, sight }: { status: AgentStatus; lastSeen: Date | null; sight?: AgentDetails['sight'] },
  nowMs: number,
): AgentState {
  if (status === 'revoked') return 'revoked';
  if (lastSeen === null) return 'new';
  if (nowMs - lastSeen.getTime() > HEARD_WITHIN_MS) return 'silent';
  if (sight === 'blind') return 'blind';
  return status === 'draining' ? 'draining' : 'connected';
}
