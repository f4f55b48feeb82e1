/**
 * A share of sites in which every owner has the same weight: the mean of the owners' own shares. A thousand sites of one
 * owner, failing or not, change it no more than the single site of another.
 */
export class OwnerShare {
  private readonly owners = new Map<string, { counted: number; all: number }>();
  private sum = 0;

  /** Adds sites of an owner; negative numbers remove them. */
  add(owner: string, counted: number, all: number): void {
    const own = this.owners.get(owner) ?? { counted: 0, all: 0 };
    this.sum -= shareOf(own);
    own.counted += counted;
    own.all += all;
    this.sum += shareOf(own);
    if (own.all > 0) this.owners.set(owner, own);
    else this.owners.delete(owner);
  }

  /** 0 without owners; rounded, because the sum accumulates rounding errors. */
  get value(): number {
    return this.owners.size === 0 ? 0 : Math.round((this.sum / this.owners.size) * 1e9) / 1e9;
  }
}

function shareOf({ counted, all }: { counted: number; all: number }): number {
  return all === 0 ? 0 : counted / all;
}
