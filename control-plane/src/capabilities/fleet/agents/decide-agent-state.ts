import type { AgentDetails } from './agent-store.js';

/** The present state of an agent. `new`: it never connected. `blind`: it reports that it reaches no reference target. */
export type AgentState = 'connected' | 'blind' | 'silent' | 'draining' | 'revoked' | 'new';

/** An agent sends a heartbeat every 5 s, which is stored within 3 s. */
export const SILENT_AFTER_MS = 15_000;

export function decideAgentState(
  {
    status,
    lastSeen,
    visibility,
  }: Pick<AgentDetails, 'status' | 'lastSeen'> & Partial<Pick<AgentDetails, 'visibility'>>,
  nowMs: number,
): AgentState {
  if (status === 'revoked') return 'revoked';
  if (lastSeen === null) return 'new';
  if (nowMs - lastSeen.getTime() > SILENT_AFTER_MS) return 'silent';
  if (visibility === 'blind') return 'blind';
  return status === 'draining' ? 'draining' : 'connected';
}
