/** The owner of some work and the site that it goes to, by opaque keys. Absent: not known. */
export interface Tenancy {
  readonly ownerKey?: string | undefined;
  readonly siteKey?: string | undefined;
}

/** Why a slot is refused: all are taken, or the owner uses its whole share, in total or for this site. */
export type ShareRefusal = 'full' | 'owner' | 'site';

/** A slot in use, to be given back once. */
export interface HeldSlot {
  readonly owner: OwnerUse;
  readonly site: SiteUse | null;
}

interface OwnerUse {
  readonly key: string;
  held: number;
  /** The owner's slots by site. */
  readonly sites: Map<string, number>;
}

interface SiteUse {
  readonly key: string;
  held: number;
}

/** All unknown owners share the place of one owner. */
export const ANONYMOUS_OWNER = '';
/** An unknown site has no limit of its own. */
export const UNKNOWN_SITE = '';
/** The slots that an owner always gets for a site, so that other owners cannot lock it out of the site. */
const SLOTS_OF_ANY_SITE = 4;

/**
 * Slots shared among owners. An owner gets another slot only while it has fewer than are free: one busy owner gets half of
 * them, n busy owners get 1/(n+1) each, and as much stays free, so that a new owner starts at once. All work for one site
 * gets half of what an owner could get, so that an owner's other sites continue when one is silent, and one site of many
 * owners does not occupy all slots. (Choudhury and Hahne, "Dynamic queue length thresholds", 1998,
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

  /** Whether the owner has at least an equal share of the slots. */
  holdsItsShare({ ownerKey = ANONYMOUS_OWNER }: Tenancy): boolean {
    const owner = this.#owners.get(ownerKey);
    return owner !== undefined && owner.held >= this.#equalShare(0);
  }

  /**
   * Why the owner may not take a slot for the site now; null where it may.
   * @param reserve slots that are reserved for others
   */
  refusal({ ownerKey = ANONYMOUS_OWNER, siteKey = UNKNOWN_SITE }: Tenancy, reserve = 0): ShareRefusal | null {
    const free = this.capacity - this.#held - reserve;
    if (free <= 0) return 'full';
    const owner = this.#owners.get(ownerKey);
    if (owner === undefined) return null;
    if (owner.held >= free) {
      // Below an equal share, other owners are the cause.
      return owner.held < this.#equalShare(reserve) ? 'full' : 'owner';
    }
    if (siteKey === UNKNOWN_SITE || 2 * (this.#sites.get(siteKey)?.held ?? 0) < free) return null;
    return (owner.sites.get(siteKey) ?? 0) < SLOTS_OF_ANY_SITE ? null : 'site';
  }

  /** Takes a slot, without checking the share. */
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

  /** One part stays free for the next owner. */
  #equalShare(reserve: number): number {
    return Math.floor((this.capacity - reserve) / (this.#owners.size + 1));
  }
}
