import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import type { Region } from '@watchpost/shared/region';
import type { Bus } from '../coordination/bus.js';
import type { Database } from '../db/database.js';
import { findAgents, setAgentStatus, type AgentRow } from './agent-store.js';

export interface AgentStatusDeps {
  db: Database;
  clock: Clock;
  /** Told after the commit; without it whoever holds the agent's stream notices within a second or two. */
  bus?: Bus;
}

/** Names one agent: by id, or by name and, where several regions have the name, region. */
export interface AgentReference {
  idOrName: string;
  region: Region | null;
}

/** The agent gets no more checks as soon as another one of its region is connected. */
export async function drainAgent(deps: AgentStatusDeps, reference: AgentReference): Promise<AgentRow> {
  return await changeStatus(deps, reference, 'draining');
}

/** The agent's token is refused from now on, and its streams end. There is no way back. */
export async function revokeAgent(deps: AgentStatusDeps, reference: AgentReference): Promise<AgentRow> {
  return await changeStatus(deps, reference, 'revoked');
}

async function changeStatus(
  { db, clock, bus }: AgentStatusDeps,
  { idOrName, region }: AgentReference,
  status: 'draining' | 'revoked',
): Promise<AgentRow> {
  const agent = await db.transaction(async (tx) => {
    const found = await findAgents(tx, isUuid(idOrName) ? { id: idOrName } : { name: idOrName, region });
    if (found.length > 1) {
      const regions = found.map((row) => row.region).join(', ');
      throw new Fault(
        'validation_failed',
        `Agents named ${idOrName} are in ${regions}: name the region, or the agent by its id.`,
      );
    }
    const [row] = found;
    if (!row) throw new Fault('not_found', `There is no agent ${idOrName}.`);
    if (row.status === 'revoked' && status !== 'revoked')
      throw new Fault('validation_failed', `The agent ${row.name} is revoked.`);
    await setAgentStatus(tx, row.id, status, clock.now());
    return { ...row, status };
  });
  bus?.publish('agent-changed', { agentId: agent.id });
  return agent;
}
