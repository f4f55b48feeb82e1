import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import type { Region } from '@watchpost/shared/region';
import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database, Tx } from '../../../platform/db/database.js';
import { findAgents, removeAgent, replaceToken, setAgentStatus, type AgentRow } from './agent-store.js';
import type { AgentStatus } from './agent.entity.js';
import { SILENT_AFTER_MS } from './decide-agent-state.js';
import { hashAgentToken, newAgentToken, pinnedToken } from './agent-token.js';
import { readAuthorityPin } from '../certificates/authority-store.js';
import { forgetMember, lockRegion } from '../members/region-store.js';

export interface AgentStatusDeps {
  db: Database;
  clock: Clock;
  /** Announces the change after the commit. Without it, the process that holds the agent's stream notices within 2 s. */
  bus?: Bus;
}

/** Names one agent: by id, or by name, with the region if several regions have an agent of this name. */
export interface AgentReference {
  idOrName: string;
  region: Region | null;
}

/** Takes an agent's checks away as soon as another agent of its region is connected. */
export async function drainAgent(deps: AgentStatusDeps, reference: AgentReference): Promise<AgentRow> {
  return await changeStatus(deps, reference, 'draining');
}

/** Ends draining: the agent is assigned checks like every other agent of its region. */
export async function resumeAgent(deps: AgentStatusDeps, reference: AgentReference): Promise<AgentRow> {
  return await changeStatus(deps, reference, 'active');
}

/** Refuses the agent's token and certificates from now on, and ends its streams. A revocation cannot be undone. */
export async function revokeAgent(deps: AgentStatusDeps, reference: AgentReference): Promise<AgentRow> {
  return await changeStatus(deps, reference, 'revoked');
}

/**
 * Gives an agent a new token, for a machine that lost its data. The former token is refused at once. Certificates stay
 * valid until the new token is used.
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

/**
 * Deletes an agent that left, with its token and certificates. Its results stay, and its checks go to the others of its region.
 * @throws Fault `precondition_failed` while it is connected, whatever its status is
 */
export async function deleteAgent({ db, clock }: AgentStatusDeps, reference: AgentReference): Promise<AgentRow> {
  return await db.transaction(async (tx) => {
    const agent = await findOne(tx, reference);
    await lockRegion(tx, agent.region);
    if (!(await removeAgent(tx, agent.id, new Date(clock.now() - SILENT_AFTER_MS))))
      throw new Fault(
        'precondition_failed',
        `The agent ${agent.name} was connected a moment ago: stop or revoke it, and delete it ${SILENT_AFTER_MS / 1_000} seconds later.`,
      );
    await forgetMember(tx, agent.region, agent.id);
    return agent;
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
