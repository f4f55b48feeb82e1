import { decideMembers } from './decide-members.js';
import { candidateOf, type FormerOwnership } from './decide-owner.js';
import type { Capabilities, FormerMembership, RegionAgent, RegionFacts } from './region-store.js';

/** Older memberships are not needed: scheduled times from before are not caught up with. */
const FORMER_KEPT_MS = 60_000;
/** Bounds the row of a region whose members change very often. */
const MAX_FORMER = 20;

export function nextMembers({ membership, agents }: RegionFacts): string[] {
  const idsOf = (matches: (agent: RegionAgent) => boolean) => agents.filter(matches).map(({ agentId }) => agentId);
  return decideMembers({
    members: membership.members,
    connected: agents
      .filter(({ isLive }) => isLive)
      .map(({ agentId, status }) => ({ agentId, draining: status === 'draining' })),
    awaited: new Set(idsOf(({ isLive, awaitedMs }) => !isLive && awaitedMs > 0)),
    revoked: new Set(idsOf(({ status }) => status === 'revoked')),
  });
}

/** The capabilities of connected members that differ from those of the present epoch. */
export function changedCapabilities(facts: RegionFacts): Capabilities {
  const next = new Set(nextMembers(facts));
  return Object.fromEntries(
    facts.agents.flatMap(({ agentId, isLive, reportedCapabilities: reported, epochCapabilities }) =>
      isLive && next.has(agentId) && reported && reported.join() !== epochCapabilities.join()
        ? [[agentId, reported]]
        : [],
    ),
  );
}

/** The former memberships to store when the present epoch ends, newest first. */
export function formerMembershipsAfter({ membership, agents, former, nowMs }: RegionFacts): FormerMembership[] {
  const takenOver = new Map(agents.map(({ agentId, takenOverEpoch }) => [agentId, takenOverEpoch]));
  const members = membership.members.map((agentId) => {
    const kinds = membership.capabilities[agentId] ?? [];
    return [agentId, { kinds, takenOverEpoch: takenOver.get(agentId) ?? null }] as const;
  });
  const last = { epoch: membership.epoch, endedMs: nowMs, members: Object.fromEntries(members) };
  return [last, ...former.filter(({ endedMs }) => endedMs > nowMs - FORMER_KEPT_MS)].slice(0, MAX_FORMER);
}

/** @param nowMs the database's present time, ms since the epoch */
export function formerOwnershipOf({ epoch, endedMs, members }: FormerMembership, nowMs: number): FormerOwnership {
  return {
    epoch: String(epoch),
    endedAt: performance.now() - (nowMs - endedMs),
    owners: Object.entries(members).map(([agentId, { kinds }]) => candidateOf(agentId, kinds)),
    takenOverEpochs: new Map(Object.entries(members).map(([agentId, { takenOverEpoch }]) => [agentId, takenOverEpoch])),
  };
}
