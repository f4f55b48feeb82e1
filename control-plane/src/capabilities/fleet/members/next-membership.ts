import { decideMembers } from './decide-members.js';
import { candidateOf } from './decide-owner.js';
import type { FormerOwnership } from './ownership.js';
import type { Capabilities, FormerMembership, RegionAgent, RegionFacts } from './region-store.js';

/** Who shared the checks longer ago matters to nobody: what was due then is not caught up with. */
const FORMER_KEPT_MS = 60_000;
/** More changes of members in a minute than that, and who was there first is forgotten. */
const MAX_FORMER = 20;

/** Who shared the checks before, once these facts are over. */
export function formerMembershipsAfter({ membership, agents, former, nowMs }: RegionFacts): FormerMembership[] {
  const gained = new Map(agents.map(({ agentId, gainedEpoch }) => [agentId, gainedEpoch]));
  const members = membership.members.map((agentId) => {
    const kinds = membership.capabilities[agentId] ?? [];
    return [agentId, { kinds, gained: gained.get(agentId) ?? null }] as const;
  });
  const last = { epoch: membership.epoch, endedMs: nowMs, members: Object.fromEntries(members) };
  return [last, ...former.filter(({ endedMs }) => endedMs > nowMs - FORMER_KEPT_MS)].slice(0, MAX_FORMER);
}

export function formerOwnershipOf({ epoch, endedMs, members }: FormerMembership, nowMs: number): FormerOwnership {
  return {
    epoch: String(epoch),
    endedAt: performance.now() - (nowMs - endedMs),
    owners: Object.entries(members).map(([agentId, { kinds }]) => candidateOf(agentId, kinds)),
    gained: new Map(Object.entries(members).map(([agentId, { gained }]) => [agentId, gained])),
  };
}

export function needsNewEpoch(facts: RegionFacts): boolean {
  if (!facts.isAlive) return false;
  return (
    nextMembers(facts).join() !== facts.membership.members.join() || Object.keys(changedCapabilities(facts)).length > 0
  );
}

export function nextMembers({ membership, agents }: RegionFacts): string[] {
  const idsOf = (wanted: (agent: RegionAgent) => boolean) => agents.filter(wanted).map(({ agentId }) => agentId);
  return decideMembers({
    members: membership.members,
    live: agents
      .filter(({ isLive }) => isLive)
      .map(({ agentId, status }) => ({ agentId, draining: status === 'draining' })),
    awaited: new Set(idsOf(({ isLive, awaitedMs }) => !isLive && awaitedMs > 0)),
    revoked: new Set(idsOf(({ status }) => status === 'revoked')),
  });
}

/** What connected members can run, where it is not what they are taken to run. */
export function changedCapabilities(facts: RegionFacts): Capabilities {
  const next = new Set(nextMembers(facts));
  return Object.fromEntries(
    facts.agents.flatMap(({ agentId, isLive, capabilities, decided }) =>
      isLive && next.has(agentId) && capabilities && capabilities.join() !== decided.join()
        ? [[agentId, capabilities]]
        : [],
    ),
  );
}
