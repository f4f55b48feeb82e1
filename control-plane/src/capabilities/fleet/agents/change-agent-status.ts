import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import type { Region } from '@watchpost/shared/region';
import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database, Tx } from '../../../platform/db/database.js';
import { findAgents, replaceToken, setAgentStatus, type AgentRow, type AgentStatus } from './agent-store.js';
import { hashAgentToken, newAgentToken, pinnedToken } from './agent-token.js';
import { readAuthorityPin } from '../certificates/authority-pin.js';

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

/** The agent drains no more: it is given checks as any other of its region. */
export async function resumeAgent(deps: AgentStatusDeps, reference: AgentReference): Promise<AgentRow> {
  return await changeStatus(deps, reference, 'active');
}

/** Token and certificates of the agent are refused from now on, and its streams end. There is no way back. */
export async function revokeAgent(deps: AgentStatusDeps, reference: AgentReference): Promise<AgentRow> {
  return await changeStatus(deps, reference, 'revoked');
}

/**
 * Gives an agent a new token, for a machine that lost its data. The former token is refused at once; certificates hold until
 * the new token is used.
 */
export async function reissueAgentToken(
  { db, clock }: AgentStatusDeps,
  reference: AgentReference,
): Promise<{ agent: AgentRow; token: string }> {
  return await db.transaction(async (tx) => {
    const agent = await findOne(tx, reference);
    const token = newAgentToken();
    if (!(await replaceToken(tx, agent.id, hashAgentToken(token), clock.now()))) throw revokedFault(agent);
    return { agent, token: pinnedToken(token, await readAuthorityPin(tx)) };
  });
}

async function changeStatus(
  { db, clock, bus }: AgentStatusDeps,
  reference: AgentReference,
  status: AgentStatus,
): Promise<AgentRow> {
  const agent = await db.transaction(async (tx) => {
    const row = await findOne(tx, reference);
    if (row.status === 'revoked' && status !== 'revoked') throw revokedFault(row);
    await setAgentStatus(tx, row.id, status, clock.now());
    return { ...row, status };
  });
  bus?.publish('agent-changed', { agentId: agent.id });
  return agent;
}

async function findOne(tx: Tx, { idOrName, region }: AgentReference): Promise<AgentRow> {
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
  return row;
}

function revokedFault({ name }: AgentRow): Fault {
  return new Fault('validation_failed', `The agent ${name} is revoked.`);
}
