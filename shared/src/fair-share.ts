/** Whose work something is and which site it goes to, by opaque keys. Absent: not known. */
export interface Tenancy {
  readonly ownerKey?: string | undefined;
  readonly siteKey?: string | undefined;
}

/** Why a slot is not given: all are taken, or the owner holds its whole share, of everything or for this site. */
export type ShareRefusal = 'full' | 'owner' | 'site';

/** A slot that is held, to be given back once. */
export interface HeldSlot {
  readonly owner: OwnerUse;
  readonly site: SiteUse | null;
}

interface OwnerUse {
  readonly key: string;
  held: number;
  /** Slots that the owner holds, by site. */
  readonly sites: Map<string, number>;
}

interface SiteUse {
  readonly key: string;
  held: number;
}

/** Whoever is not known shares one place among the owners. */
export const ANONYMOUS_OWNER = '';
/** A site that is not known has no limit of its own. */
export const UNKNOWN_SITE = '';
/** So many slots an owner gets for any site, however many others hold slots for it: nobody is locked out of a site by strangers. */
const SLOTS_OF_ANY_SITE = 4;

/**
 * Slots shared between owners. An owner takes another slot only while it holds fewer than are free: one busy owner alone
 * gets half of them, n busy owners get 1/(n+1) each, and as much stays free, so that a newcomer starts at once. All work
 * for one site gets half of what an owner could take, so that an owner's other sites go on when one is silent, and one
 * site that many owners watch does not occupy them all. (Choudhury and Hahne, "Dynamic queue length thresholds", 1998,
 * with factors 1 and 1/2.)
 */
export class FairShare {
  readonly #owners = new Map<string, OwnerUse>();
  readonly #sites = new Map<string, SiteUse>();
  #held = 0;

  constructor(readonly capacity: number) {}

  get held(): number {
    return this.#held;
  }

  heldBy({ ownerKey = ANONYMOUS_OWNER }: Tenancy): number {
    return this.#owners.get(ownerKey)?.held ?? 0;
  }

  /** Whether the owner holds as much as each of those who hold anything could have. */
  holdsItsShare({ ownerKey = ANONYMOUS_OWNER }: Tenancy): boolean {
    const owner = this.#owners.get(ownerKey);
    return owner !== undefined && owner.held >= this.#equalShare(0);
  }

  /**
   * Why the owner may not take a slot for the site now; null where it may.
   * @param reserve slots that are kept for others
   */
  refusal({ ownerKey = ANONYMOUS_OWNER, siteKey = UNKNOWN_SITE }: Tenancy, reserve = 0): ShareRefusal | null {
    const free = this.capacity - this.#held - reserve;
    if (free <= 0) return 'full';
    const owner = this.#owners.get(ownerKey);
    if (owner === undefined) return null;
    if (owner.held >= free) {
      // Less than an equal share is not the owner's own doing: the slots are taken by others.
      return owner.held < this.#equalShare(reserve) ? 'full' : 'owner';
    }
    if (siteKey === UNKNOWN_SITE || 2 * (this.#sites.get(siteKey)?.held ?? 0) < free) return null;
    return (owner.sites.get(siteKey) ?? 0) < SLOTS_OF_ANY_SITE ? null : 'site';
  }

  /** Takes a slot, without asking whether the owner may. */
  take({ ownerKey = ANONYMOUS_OWNER, siteKey = UNKNOWN_SITE }: Tenancy): HeldSlot {
    this.#held++;
    let owner = this.#owners.get(ownerKey);
    if (owner === undefined) this.#owners.set(ownerKey, (owner = { key: ownerKey, held: 0, sites: new Map() }));
    owner.held++;
    if (siteKey === UNKNOWN_SITE) return { owner, site: null };
    owner.sites.set(siteKey, (owner.sites.get(siteKey) ?? 0) + 1);
    let site = this.#sites.get(siteKey);
    if (site === undefined) this.#sites.set(siteKey, (site = { key: siteKey, held: 0 }));
    site.held++;
    return { owner, site };
  }

  giveBack({ owner, site }: HeldSlot): void {
    this.#held--;
    if (--owner.held === 0) this.#owners.delete(owner.key);
    if (site === null) return;
    const own = owner.sites.get(site.key)! - 1;
    if (own === 0) owner.sites.delete(site.key);
    else owner.sites.set(site.key, own);
    if (--site.held === 0) this.#sites.delete(site.key);
  }

  /** One part is nobody's: it is kept for whoever comes next. */
  #equalShare(reserve: number): number {
    return Math.floor((this.capacity - reserve) / (this.#owners.size + 1));
  }
}
