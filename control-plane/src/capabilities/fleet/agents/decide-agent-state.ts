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

/** Programs for which some checks and their evidence need an agent's machine. */
export const AGENT_PROGRAMS = ['ping', 'traceroute'] as const;

/** The programs that an agent lacks or may not use, as it reported. */
export function lackedPrograms(
  agent: Pick<AgentDetails, 'capabilities' | 'canTrace'>,
): (typeof AGENT_PROGRAMS)[number][] {
  const { capabilities, canTrace } = agent;
  const lacked = { ping: capabilities.length > 0 && !capabilities.includes('ping'), traceroute: canTrace === false };
  return AGENT_PROGRAMS.filter((program) => lacked[program]);
}
