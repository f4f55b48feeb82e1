/** A token bucket: tokens are refilled at a rate, up to a maximum. */
interface Bucket {
  tokens: number;
  atMs: number;
}

export interface OpinionBudget {
  all: Bucket;
  /** Of owners with recent requests; the buckets of all others are full. */
  owners: ReadonlyMap<string, Bucket>;
}

/** Confirming runs per second, and at once in a burst. */
const ALL = { rate: 10, burst: 30 };
/** Of one owner. */
const OWN = { rate: 1, burst: 8 };

export const FULL_BUDGET: OpinionBudget = { all: { tokens: ALL.burst, atMs: 0 }, owners: new Map() };

/**
 * Which of the wanted confirming runs may be requested now: in turns of their owners, and for each owner within its own
 * budget. When everything fails at once, confirming all of it would increase the load, and a few answers are as
 * conclusive as thousands.
 * @param wanted the owner of each
 * @returns the indexes of those that are allowed
 */
export function decideSecondOpinions(
  budget: OpinionBudget,
  wanted: readonly string[],
  nowMs: number,
): { allowed: number[]; budget: OpinionBudget } {
  const all = refilled(budget.all, ALL, nowMs);
  const owners = new Map<string, Bucket>();
  for (const [owner, bucket] of budget.owners) {
    const own = refilled(bucket, OWN, nowMs);
    if (own.tokens < OWN.burst) owners.set(owner, own);
  }
  const allowed: number[] = [];
  for (const index of byTurns(wanted)) {
    const owner = wanted[index]!;
    const own = owners.get(owner) ?? { tokens: OWN.burst, atMs: nowMs };
    if (all.tokens < 1 || own.tokens < 1) continue;
    all.tokens--;
    owners.set(owner, { ...own, tokens: own.tokens - 1 });
    allowed.push(index);
  }
  return { allowed, budget: { all, owners } };
}

/** The first of every owner, then the second of every owner, and so on. */
function byTurns(owners: readonly string[]): number[] {
  const seen = new Map<string, number>();
  const turns = owners.map((owner, index) => {
    const turn = seen.get(owner) ?? 0;
    seen.set(owner, turn + 1);
    return { index, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn || a.index - b.index).map(({ index }) => index);
}

function refilled({ tokens, atMs }: Bucket, { rate, burst }: typeof ALL, nowMs: number): Bucket {
  const gained = (Math.max(0, nowMs - atMs) / 1_000) * rate;
  return { tokens: Math.min(burst, tokens + gained), atMs: Math.max(nowMs, atMs) };
}
