import { changedCapabilities, nextMembers } from './next-membership.js';
import type { RegionAgent, RegionFacts } from './region-store.js';

/** For how long changes of members are gathered into one epoch, ms. */
export interface GatheringTimes {
  /** Agents join when no other one has connected for this time. */
  joinQuietMs: number;
  /** They join after this time at the latest. */
  joinMostMs: number;
  /** The same while the checks of the present epoch are still being taken over: each epoch moves checks of all members. */
  joinBusyMs: number;
  /** An agent that is given up waits for the others whose time ends within this time. */
  lossQuietMs: number;
  /** It waits for this time at most. */
  lossMostMs: number;
}

/**
 * Decides when the next epoch of a region begins. Each epoch costs work in proportion to the members and moves checks, so
 * that agents that join one after the other, or are lost together, share epochs. An agent that is waiting to join leaves no
 * check without an owner; checks of a lost agent have none that runs them, so that their wait is much shorter. What an
 * operator does, and a change of what a member can run, waits for nothing.
 * @returns in how many ms; 0 for now, undefined if nothing has changed
 */
export function epochDueInMs(facts: RegionFacts, times: GatheringTimes): number | undefined {
  if (!facts.isAlive) return undefined;
  const next = new Set(nextMembers(facts));
  const gone = facts.agents.filter(({ agentId, isMember }) => isMember && !next.has(agentId));
  if (gone.length > 0) return lossDueInMs(facts, gone, times);
  const joining = joiningAgents(facts);
  const isJoining = new Set(joining.map(({ agentId }) => agentId));
  if (Object.keys(changedCapabilities(facts)).some((agentId) => !isJoining.has(agentId))) return 0;
  return joining.length > 0 ? joinDueInMs(facts, joining, times) : undefined;
}

/** The connected agents that are not members yet and will be. */
export function joiningAgents(facts: RegionFacts): RegionAgent[] {
  const next = new Set(nextMembers(facts));
  return facts.agents.filter(({ agentId, isMember }) => !isMember && next.has(agentId));
}

function lossDueInMs(
  { agents }: RegionFacts,
  gone: readonly RegionAgent[],
  { lossQuietMs, lossMostMs }: GatheringTimes,
): number {
  if (gone.some(({ isLive, status }) => isLive || status === 'revoked')) return 0;
  const longestOverMs = Math.max(...gone.map(({ awaitedMs }) => -awaitedMs));
  const soon = agents.flatMap(({ isMember, isLive, awaitedMs }) =>
    isMember && !isLive && awaitedMs > 0 && awaitedMs <= lossQuietMs ? [awaitedMs] : [],
  );
  return soon.length === 0 ? 0 : Math.max(0, Math.min(Math.min(...soon), lossMostMs - longestOverMs));
}

function joinDueInMs(
  { agents, membership }: RegionFacts,
  joining: readonly RegionAgent[],
  { joinQuietMs, joinMostMs, joinBusyMs }: GatheringTimes,
): number {
  const ages = joining.map(({ connectedMs }) => connectedMs);
  const working = agents.filter(({ isMember, isLive }) => isMember && isLive);
  const isSettled = working.every(({ takenOverEpoch }) => takenOverEpoch === membership.epoch);
  const latestMs = (isSettled ? joinMostMs : joinBusyMs) - Math.max(...ages);
  return Math.max(0, isSettled ? Math.min(joinQuietMs - Math.min(...ages), latestMs) : latestMs);
}
