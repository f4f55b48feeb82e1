import { kindCodeOf, CHECK_KIND_CODES, type CheckKind } from '@watchpost/shared/check';

/**
 * Rendezvous hashing: every agent has a score for every check, and the highest one of those that can run it owns it.
 * Each agent's share is even, and one that comes or goes moves only the checks that it gains or had.
 */
export interface Candidate {
  readonly agentId: string;
  readonly seed: number;
  /** A bit for the code of each kind that it can run. */
  readonly kinds: number;
}

/** An agent, prepared for scoring many checks. */
export function candidateOf(agentId: string, kinds: readonly CheckKind[]): Candidate {
  let hash = 0x811c9dc5;
  for (let index = 0; index < agentId.length; index++) hash = Math.imul(hash ^ agentId.charCodeAt(index), 0x01000193);
  return { agentId, seed: mix(hash), kinds: kinds.reduce((bits, kind) => bits | (1 << CHECK_KIND_CODES[kind]), 0) };
}

/**
 * @param checkCode from `checkCode`
 * @returns the owner's agent id; undefined where no candidate can run it
 */
export function ownerOf(candidates: readonly Candidate[], checkCode: number): string | undefined {
  const check = mix((checkCode >>> 0) ^ mix(Math.floor(checkCode / 0x1_0000_0000)));
  const kind = 1 << kindCodeOf(checkCode);
  let owner: Candidate | undefined;
  let best = -1;
  for (const candidate of candidates) {
    if ((candidate.kinds & kind) === 0) continue;
    const score = mix(Math.imul(candidate.seed ^ check, 0x9e3779b1) ^ (check >>> 15));
    // A tie goes by id, so that the order of the candidates means nothing.
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
