import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../../platform/db/database.js';
import { selectAgents, type AgentDetails } from './agent-store.js';
import { decideAgentState, type AgentState } from './decide-agent-state.js';

export interface ListedAgent extends AgentDetails {
  state: AgentState;
}

/** Lists every agent with its last heartbeat, the revoked ones last. */
export async function listAgents({ db, clock }: { db: Database; clock: Clock }): Promise<ListedAgent[]> {
  const agents = await db.read(selectAgents);
  const nowMs = clock.now();
  return agents.map((agent) => ({ ...agent, state: decideAgentState(agent, nowMs) }));
}
