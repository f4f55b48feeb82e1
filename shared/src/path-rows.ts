import type { PathEvidence, PathHop } from './outcome.js';

/** The hops with one number, of the path of a failure and of the last good one. */
export interface PathRow {
  ttl: number;
  /** Null: the path ended before it. */
  hop: PathHop | null;
  good: PathHop | null;
  /** The address of the one is not that of the other, and both answered. */
  isOther: boolean;
}

export type ShownPath = Pick<PathEvidence, 'address' | 'reached' | 'hops' | 'stoppedAt'> & {
  lastGood: Pick<NonNullable<PathEvidence['lastGood']>, 'hops'> | null;
};

export function pathRows({ hops, lastGood }: ShownPath): PathRow[] {
  const goods = lastGood?.hops ?? [];
  return Array.from({ length: Math.max(hops.length, goods.length) }, (_, index) => {
    const hop = hops[index] ?? null;
    const good = goods[index] ?? null;
    const isOther = Boolean(hop?.address && good?.address && hop.address !== good.address);
    return { ttl: index + 1, hop, good, isOther };
  });
}

export function pathSentence({ address, reached, hops, stoppedAt }: ShownPath): string {
  if (reached) return `The way to ${address} is open: it answered after ${hopsText(hops.length)}.`;
  const last = stoppedAt === null ? undefined : hops[stoppedAt - 1];
  if (!last?.address) return `Nothing on the way to ${address} answered.`;
  return `The way to ${address} ends after ${hopsText(last.ttl)}, at ${last.address}: nothing beyond it answered.`;
}

function hopsText(count: number): string {
  return count === 1 ? '1 hop' : `${count} hops`;
}
