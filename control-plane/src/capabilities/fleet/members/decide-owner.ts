import { CHECK_KIND_CODES, CHECK_KINDS, kindCodeOf, monitorKeyOf, type CheckKind } from '@watchpost/shared/check';
import { mixHash } from '@watchpost/shared/mix-hash';
import { OWNERSHIP_SHARDS, shardOf } from '@watchpost/shared/ownership-shard';

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
  return { agentId, seed: mixHash(hash), kinds: kinds.reduce((bits, kind) => bits | (1 << CHECK_KIND_CODES[kind]), 0) };
}

/** The kinds of checks that an agent owns in its shards: one bit for the code of each kind. Shards without any are left out. */
export type OwnedShards = ReadonlyMap<number, number>;

/**
 * Chooses the owner of a check by rendezvous hashing of its shard: the candidate with the highest score of those that can
 * run it. The shares are even. An agent that joins or leaves moves only the checks that it gains or had.
 * @param checkCode from `checkCode`
 * @returns the owner's agent id; undefined if no candidate can run the check
 */
export function ownerOf(candidates: readonly Candidate[], checkCode: number): string | undefined {
  return tableOf(candidates).ownerOf(shardOf(monitorKeyOf(checkCode)), kindCodeOf(checkCode))?.agentId;
}

/** The shards that an agent owns among these candidates. The first call decides all shards of all candidates. */
export function ownedShards(candidates: readonly Candidate[], agentId: string): OwnedShards {
  return tableOf(candidates).byOwner().get(agentId) ?? NO_SHARDS;
}

const NO_SHARDS: OwnedShards = new Map();
const KIND_CODES = CHECK_KINDS.map((kind): number => CHECK_KIND_CODES[kind]);
const UNDECIDED = -2;
const NOBODY = -1;
/** The owners of the present and of recent epochs, each decided once for all agents of the region. */
const tables = new WeakMap<readonly Candidate[], OwnerTable>();

function tableOf(candidates: readonly Candidate[]): OwnerTable {
  const known = tables.get(candidates);
  if (known) return known;
  const table = new OwnerTable(candidates);
  tables.set(candidates, table);
  return table;
}

/** The owner of each shard for each kind, decided at the first question. */
class OwnerTable {
  /** Indexes of candidates by shard, one array for all kinds that the same candidates can run. */
  private readonly ofKind = new Map<number, Int16Array>();
  private owned: Map<string, Map<number, number>> | undefined;

  constructor(private readonly candidates: readonly Candidate[]) {
    const arrays = new Map<string, Int16Array>();
    for (const code of KIND_CODES) {
      const capable = candidates.map(({ kinds }) => ((kinds >> code) & 1).toString()).join('');
      const owners = arrays.get(capable) ?? new Int16Array(OWNERSHIP_SHARDS).fill(UNDECIDED);
      arrays.set(capable, owners);
      this.ofKind.set(code, owners);
    }
  }

  ownerOf(shard: number, kindCode: number): Candidate | undefined {
    const owners = this.ofKind.get(kindCode);
    if (!owners) return undefined;
    if (owners[shard] === UNDECIDED) owners[shard] = decideOwner(this.candidates, shard, kindCode);
    return this.candidates[owners[shard]!];
  }

  byOwner(): ReadonlyMap<string, OwnedShards> {
    if (this.owned) return this.owned;
    this.owned = new Map();
    for (let shard = 0; shard < OWNERSHIP_SHARDS; shard++) {
      for (const code of KIND_CODES) {
        const owner = this.ownerOf(shard, code);
        if (!owner) continue;
        let own = this.owned.get(owner.agentId);
        if (!own) this.owned.set(owner.agentId, (own = new Map<number, number>()));
        own.set(shard, (own.get(shard) ?? 0) | (1 << code));
      }
    }
    return this.owned;
  }
}

function decideOwner(candidates: readonly Candidate[], shard: number, kindCode: number): number {
  const hash = mixHash(shard + 1);
  let owner = NOBODY;
  let best = -1;
  for (const [index, candidate] of candidates.entries()) {
    if (((candidate.kinds >> kindCode) & 1) === 0) continue;
    const score = mixHash(Math.imul(candidate.seed ^ hash, 0x9e3779b1) ^ (hash >>> 15));
    // Ties go by id, so that the result does not depend on the order of the candidates.
    if (score > best || (score === best && candidate.agentId > candidates[owner]!.agentId)) {
      best = score;
      owner = index;
    }
  }
  return owner;
}
