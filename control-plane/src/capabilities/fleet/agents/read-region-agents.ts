import type { Region } from '@watchpost/shared/region';
import type { Tx, Database } from '../../../platform/db/database.js';
import { selectRegionAgents, selectAgents, type AgentDetails } from './agent-store.js';
import { SILENT_AFTER_MS, decideAgentState, lackedPrograms, type AgentState } from './decide-agent-state.js';
import type { Clock } from '@watchpost/shared/clock';

/** The agents of a region that are connected, as far as tenants may see them. */
export interface RegionAgents {
  region: Region;
  connected: number;
  /** The 99th percentile of the start lag of the slowest agent, ms. */
  startLagP99Ms: number | null;
}

/** The connected agents by region; regions without any are left out. One statement. */
export async function readRegionAgents(tx: Tx, nowMs: number): Promise<RegionAgents[]> {
  const rows = await selectRegionAgents(tx, new Date(nowMs - SILENT_AFTER_MS));
  return rows.map(({ region, connected, lagP99Us }) => ({
    region,
    connected,
    startLagP99Ms: lagP99Us === null ? null : lagP99Us / 1_000,
  }));
}

export interface ListedAgent extends AgentDetails {
  state: AgentState;
  lacks: readonly string[];
}

/** Lists every agent with its last heartbeat, the revoked ones last. */
export async function listAgents({ db, clock }: { db: Database; clock: Clock }): Promise<ListedAgent[]> {
  const agents = await db.read(selectAgents);
  const nowMs = clock.now();
  return agents.map((agent) => ({ ...agent, state: decideAgentState(agent, nowMs), lacks: lackedPrograms(agent) }));
}
