import { ownedShards, type OwnedShards, type Ownership } from '../members/decide-owner.js';

/** Whether an agent that owned checks lately is gone, so that nobody may be running them. */
export function hasGoneOwners({ owners, former }: Ownership): boolean {
  const present = new Set(owners.map(({ agentId }) => agentId));
  return former.some((one) => one.owners.some(({ agentId }) => !present.has(agentId)));
}

/**
 * Decides which shards are read when the members of a region change: those of which an agent gains checks, and those that
 * another agent had that is gone since, because such a check may need a handover though the agent has it already.
 * @param before the ownership by which the agent was last sent checks
 */
export function decideGainedShards(agentId: string, before: Ownership, after: Ownership): number[] {
  const owned = ownedShards(after.owners, agentId);
  const had = ownedShards(before.owners, agentId);
  const present = new Set(after.owners.map((owner) => owner.agentId));
  const ofGone = [before, ...after.former].flatMap(({ owners }) =>
    owners.flatMap((owner) => (present.has(owner.agentId) ? [] : [ownedShards(owners, owner.agentId)])),
  );
  return [...owned].flatMap(([shard, kinds]) => (isGained(had, shard, kinds) || isOfAny(ofGone, shard) ? [shard] : []));
}

function isGained(had: OwnedShards, shard: number, kinds: number): boolean {
  return (kinds & ~(had.get(shard) ?? 0)) !== 0;
}

function isOfAny(owned: readonly OwnedShards[], shard: number): boolean {
  return owned.some((shards) => shards.has(shard));
}
