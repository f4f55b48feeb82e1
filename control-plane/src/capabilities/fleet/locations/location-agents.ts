import { BUILD } from '@watchpost/shared/build';
import type { Clock } from '@watchpost/shared/clock';
import { beyondMost, found, invalidField } from '@watchpost/shared/fault';
import type { Bus } from '../../../platform/coordination/bus.js';
import type { Transactions } from '../../../platform/db/database.js';
import type { ListPage, Rows } from '../../../platform/db/tx.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import { lockLocation, requireLocation } from '../../locations/index.js';
import { addAgent } from '../agents/create-agent.js';
import { type AgentDetails, selectAgentsAt, setAgentStatus } from '../agents/agent-store.js';
import { decideAgentState, lackedPrograms } from '../agents/decide-agent-state.js';
import {
  type LOCATION_AGENT_STATES,
  type LocationAgent,
  type LocationAgentCreate,
  MAX_LOCATION_AGENTS,
  type NewLocationAgent,
} from './location-agent-schemas.js';

export interface LocationAgentDeps {
  db: Transactions;
  clock: Clock;
  bus: Bus;
  agentUrl: string;
}

/** The agents of a location that are not revoked, newest first. @throws Fault not_found */
export async function listLocationAgents(
  { db, clock }: LocationAgentDeps,
  { workspace: { workspaceId } }: Actor,
  id: string,
  { limit, offset }: Rows,
): Promise<ListPage<LocationAgent>> {
  const agents = await db.read(async (tx) => {
    await requireLocation(tx, workspaceId, id);
    return selectAgentsAt(tx, id);
  });
  const nowMs = clock.now();
  const items = agents.slice(offset, offset + limit).map((agent) => describeAgent(agent, nowMs));
  return { items, total: agents.length };
}

/** Creates an agent of a location. Its token is in the answer alone. @throws Fault not_found, plan_limit_exceeded, validation_failed */
export async function createLocationAgent(
  deps: LocationAgentDeps,
  actor: Actor,
  locationId: string,
  { name }: LocationAgentCreate,
): Promise<NewLocationAgent> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const location = await lockLocation(tx, workspaceId, locationId);
    const others = await selectAgentsAt(tx, locationId);
    if (others.length >= MAX_LOCATION_AGENTS)
      throw beyondMost('locationAgents', MAX_LOCATION_AGENTS, `A location has at most ${MAX_LOCATION_AGENTS} agents.`);
    const made = await addAgent(tx, { name, region: locationId, workspaceId }, deps.clock.now());
    if (!made) throw invalidField('name', 'is the name of another agent of this location');
    await recordAudit(deps, tx, actor, {
      action: 'private_location.agent_created',
      target: location,
      after: { agentId: made.agentId, name },
    });
    const agent = (await selectAgentsAt(tx, locationId)).find(({ id }) => id === made.agentId)!;
    return { ...describeAgent(agent, deps.clock.now()), controlPlaneUrl: deps.agentUrl, token: made.token };
  });
}

/** Refuses an agent's token and certificates from now on, and ends its streams. @throws Fault not_found */
export async function revokeLocationAgent(
  deps: LocationAgentDeps,
  actor: Actor,
  { id, agentId }: { id: string; agentId: string },
): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const location = await requireLocation(tx, workspaceId, id);
    const agent = found(
      (await selectAgentsAt(tx, id)).find((one) => one.id === agentId),
      'agent',
    );
    await setAgentStatus(tx, agentId, 'revoked', deps.clock.now());
    const before = { agentId, name: agent.name };
    await recordAudit(deps, tx, actor, { action: 'private_location.agent_revoked', target: location, before });
  });
  deps.bus.publish('agent-changed', { agentId });
}

function describeAgent(agent: AgentDetails, nowMs: number): LocationAgent {
  const { id, name, version, platform, lastSeen, certificateExpires, spoolDepth: spooled } = agent;
  return {
    id,
    name,
    version,
    platform,
    lacks: lackedPrograms(agent),
    state: stateOf(agent, nowMs),
    lastSeen: lastSeen?.toISOString() ?? null,
    certificateExpires: certificateExpires?.toISOString() ?? null,
    spooled,
  };
}

function stateOf(agent: AgentDetails, nowMs: number): (typeof LOCATION_AGENT_STATES)[number] {
  const state = decideAgentState(agent, nowMs);
  if (state === 'new') return 'waiting';
  if (state === 'silent' || state === 'blind') return state;
  return agent.version === BUILD ? 'connected' : 'outdated';
}
