import { kindCodeOf, CHECK_KIND_CODES, type CheckKind } from '@watchpost/shared/check';

/** An agent that can own checks, prepared for scoring many of them. */
export interface Candidate {
  readonly agentId: string;
  readonly seed: number;
  /** One bit for the code of each kind that the agent can run. */
  readonly kinds: number;
}

/** The candidates among which a region's checks are divided during one epoch. */
export interface Ownership {
  readonly epoch: string;
  readonly owners: readonly Candidate[];
  /** Epochs that ended recently, newest first. */
  readonly former: readonly FormerOwnership[];
}

/** The candidates of an epoch that is over. */
export interface FormerOwnership {
  readonly epoch: string;
  readonly owners: readonly Candidate[];
  /** By the monotonic clock, ms. */
  readonly endedAt: number;
  /** The newest epoch of which each owner had taken over all its checks when this epoch ended. */
  readonly takenOverEpochs: ReadonlyMap<string, number | null>;
}

export function candidateOf(agentId: string, kinds: readonly CheckKind[]): Candidate {
  let hash = 0x811c9dc5;
  for (let index = 0; index < agentId.length; index++) hash = Math.imul(hash ^ agentId.charCodeAt(index), 0x01000193);
  return { agentId, seed: mix(hash), kinds: kinds.reduce((bits, kind) => bits | (1 << CHECK_KIND_CODES[kind]), 0) };
}

/**
 * Chooses the owner of a check by rendezvous hashing: the candidate with the highest score of those that can run it.
 * The shares are even. An agent that joins or leaves moves only the checks that it gains or had.
 * @param checkCode from `checkCode`
 * @returns the owner's agent id; undefined if no candidate can run the check
 */
export function ownerOf(candidates: readonly Candidate[], checkCode: number): string | undefined {
  const check = mix((checkCode >>> 0) ^ mix(Math.floor(checkCode / 0x1_0000_0000)));
  const kind = 1 << kindCodeOf(checkCode);
  let owner: Candidate | undefined;
  let best = -1;
  for (const candidate of candidates) {
    if ((candidate.kinds & kind) === 0) continue;
    const score = mix(Math.imul(candidate.seed ^ check, 0x9e3779b1) ^ (check >>> 15));
    // Ties go by id, so that the result does not depend on the order of the candidates.
    if (score > best || (score === best && candidate.agentId > owner!.agentId)) {
      best = score;
      owner = candidate;
    }
  }
  return owner?.agentId;
}

/** The finaliser of MurmurHash3, 32 bits. */
function mix(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
