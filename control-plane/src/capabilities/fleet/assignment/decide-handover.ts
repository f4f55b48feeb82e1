import { ownerOf, type FormerOwnership, type Ownership } from '../members/decide-owner.js';

/** Owners of epochs that ended earlier are ignored, ms: scheduled times from then are not caught up with. */
const RELEVANT_MS = 45_000;

/** In the last part of the handover time it is uncertain whether a former owner still runs its checks, ms. */
const RELEASE_MARGIN_MS = 1_000;

/**
 * The time from which on a check's scheduled times are its new owner's to run: the present, the newest scheduled time that
 * has a result, or the start of the present epoch.
 */
export type HandoverStart = 'now' | 'newestResult' | 'epochStart';

export interface HandoverFacts {
  /** The new owner. */
  agentId: string;
  ownership: Ownership;
  /** The ownership by which the agent was last sent checks on its stream; undefined before the first update. */
  before: Ownership | undefined;
  /** The codes of the checks that the agent has. */
  assigned: { has(code: number): boolean };
  /** Knows whether an agent has taken over all checks that it gained in an epoch. */
  roster: { hasTakenOver(agentId: string, epoch: string): boolean };
  /** A former owner releases its checks after this time, also if no new owner has taken them over; ms. */
  handoverMs: number;
  /** The present, by the monotonic clock. */
  nowAt: number;
}

/**
 * Decides from when on an agent has to catch up with the scheduled times of its checks. A former owner that is still a
 * member runs a check until the new owner has taken it over. A former owner that is gone may have missed scheduled times
 * since its last result, also those of a check that was taken from it before anyone noticed that it was gone. If it is
 * uncertain, the agent catches up, and the site may be requested twice.
 * @returns a function that decides for one check, by its code
 */
export function decideHandover(facts: HandoverFacts): (code: number) => HandoverStart {
  const { agentId, ownership, before, assigned, roster, handoverMs, nowAt } = facts;
  const former = ownership.former.filter(({ endedAt }) => endedAt > nowAt - RELEVANT_MS);
  const [last] = former;
  const goneByEpoch = goneOwners(ownership, former);
  const ownersBefore = ownerIds(before);
  const goneOwnerOf = (code: number) => {
    for (const [index, gone] of goneByEpoch.entries()) {
      const owner = gone.size > 0 ? ownerOf(former[index]!.owners, code) : undefined;
      if (owner !== undefined && gone.has(owner)) return owner;
    }
    return undefined;
  };
  return (code) => {
    const goneOwner = goneOwnerOf(code);
    // The handover of an assigned check was sent with it, unless its former owner has gone since then.
    if (assigned.has(code)) return goneOwner !== undefined && ownersBefore.has(goneOwner) ? 'newestResult' : 'now';
    if (goneOwner !== undefined) return 'newestResult';
    if (!last) return before ? 'now' : 'newestResult';
    const owner = ownerOf(last.owners, code);
    if (owner === undefined) return 'now';
    if (owner === agentId || !roster.hasTakenOver(owner, last.epoch)) return 'newestResult';
    // The former owner may have released the check: after the handover time, or for an earlier stream of this agent.
    return before && nowAt - last.endedAt < handoverMs - RELEASE_MARGIN_MS ? 'now' : 'epochStart';
  };
}

/**
 * For each former epoch, its owners that are gone: they own nothing now, and did not acknowledge the epoch after it, which
 * took their checks away.
 */
function goneOwners(ownership: Ownership, former: readonly FormerOwnership[]): ReadonlySet<string>[] {
  const present = ownerIds(ownership);
  return former.map((one, index) => {
    const nextEpoch = Number(index === 0 ? ownership.epoch : former[index - 1]!.epoch);
    // The newest epoch that has an owner contains what it acknowledged last.
    const takenOver = (agentId: string) =>
      former.find(({ takenOverEpochs }) => takenOverEpochs.has(agentId))?.takenOverEpochs.get(agentId) ?? -1;
    const absent = [...ownerIds(one)].filter((agentId) => !present.has(agentId));
    return new Set(absent.filter((agentId) => takenOver(agentId) < nextEpoch));
  });
}

function ownerIds(ownership: Pick<Ownership, 'owners'> | undefined): ReadonlySet<string> {
  return new Set(ownership?.owners.map(({ agentId }) => agentId));
}
