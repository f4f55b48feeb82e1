/**
 * Rendezvous hashing: every agent has a score for every check, and the highest one owns it. Each agent's share
 * is even, and one that comes or goes moves only the checks that it gains or had.
 */
export interface Candidate {
  readonly agentId: string;
  readonly seed: number;
}

/** An agent, prepared for scoring many checks. */
export function candidateOf(agentId: string): Candidate {
  let hash = 0x811c9dc5;
  for (let index = 0; index < agentId.length; index++) hash = Math.imul(hash ^ agentId.charCodeAt(index), 0x01000193);
  return { agentId, seed: mix(hash) };
}

/**
 * @param checkCode from `checkCode`
 * @returns the owner's agent id; undefined where there is no candidate
 */
export function ownerOf(candidates: readonly Candidate[], checkCode: number): string | undefined {
  const check = mix((checkCode >>> 0) ^ mix(Math.floor(checkCode / 0x1_0000_0000)));
  let owner: Candidate | undefined;
  let best = -1;
  for (const candidate of candidates) {
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
