import { ownerOf } from '../members/decide-owner.js';
import type { FormerOwnership, Ownership } from '../members/decide-owner.js';

/** Who ran a check longer ago than this does not matter, ms: what fell due then is not caught up with. */
const LATELY_MS = 45_000;

/**
 * From when on a check's due times are its agent's: from now on; from the newest one that has a result on; or from when
 * the present epoch began.
 */
export type OwedSince = 'now' | 'newest' | 'epoch';

export interface HandoverQuestion {
  agentId: string;
  ownership: Ownership;
  /** What the agent was told before on its stream; undefined where this is the first update on it. */
  before: Ownership | undefined;
  /** Codes of the checks that it was told of before on its stream. */
  had: ReadonlySet<number>;
  /** Knows whether an agent has acknowledged what it gained up to an epoch. */
  roster: { hasTakenOver(agentId: string, epoch: string): boolean };
  /** An owner of before lets go after this, whether it was relieved or not; ms. */
  handOverMs: number;
  /** By the monotonic clock. */
  nowAt: number;
}

/**
 * Whether somebody else has run a check until now. An owner that stays goes on until it is relieved; one that is gone was
 * gone before anybody noticed, also where a check had been taken from it meanwhile: then it may never have run what was due.
 * In doubt the agent owes, and the site is asked twice.
 * @returns what holds for a check, by its code; where nobody is gone, what the agent has costs nothing
 */
export function decideHandover(question: HandoverQuestion): (code: number) => OwedSince {
  const { agentId, ownership, before, had, roster, handOverMs, nowAt } = question;
  const former = ownership.former.filter(({ endedAt }) => endedAt > nowAt - LATELY_MS);
  const [last] = former;
  const leavers = leaversOf(ownership, former);
  const ownersBefore = idsOf(before);
  const leaverOf = (code: number) => {
    for (const [index, gone] of leavers.entries()) {
      const owner = gone.size > 0 ? ownerOf(former[index]!.owners, code) : undefined;
      if (owner !== undefined && gone.has(owner)) return owner;
    }
    return undefined;
  };
  return (code) => {
    const left = leaverOf(code);
    // What it has it was told the handovers of, except of those who went since.
    if (had.has(code)) return left !== undefined && ownersBefore.has(left) ? 'newest' : 'now';
    if (left !== undefined) return 'newest';
    if (!last) return before ? 'now' : 'newest';
    const owner = ownerOf(last.owners, code);
    if (owner === undefined) return 'now';
    if (owner === agentId || !roster.hasTakenOver(owner, last.epoch)) return 'newest';
    // An agent that comes back may be relieving somebody who was told already that nobody waits for him.
    return before && nowAt - last.endedAt < handOverMs - 1_000 ? 'now' : 'epoch';
  };
}

/** Of each former epoch, who owned something then, is no owner any more, and was never heard of after he was to let go. */
function leaversOf(ownership: Ownership, former: readonly FormerOwnership[]): ReadonlySet<string>[] {
  const present = idsOf(ownership);
  return former.map((one, index) => {
    const next = Number(index === 0 ? ownership.epoch : former[index - 1]!.epoch);
    const gone = [...idsOf(one)].filter((agentId) => !present.has(agentId));
    // What he acknowledged last is told by the last epoch that he was in.
    const gained = (agentId: string) =>
      former.find((other) => other.takenOverEpochs.has(agentId))?.takenOverEpochs.get(agentId) ?? -1;
    return new Set(gone.filter((agentId) => gained(agentId) < next));
  });
}

function idsOf(ownership: Pick<Ownership, 'owners'> | undefined): ReadonlySet<string> {
  return new Set(ownership?.owners.map(({ agentId }) => agentId));
}
