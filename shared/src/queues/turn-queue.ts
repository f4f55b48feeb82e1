import { ANONYMOUS_OWNER, UNKNOWN_SITE, type ShareRefusal, type Tenancy } from '../fair-share.js';
import { Fifo } from './fifo.js';

/** The waiting items of one owner. Its position in the Map is its turn: an owner that had one goes to the end. */
interface OwnerQueue<T> {
  readonly sites: Map<string, Fifo<T>>;
  /** When an item was last passed over because the owner used its whole share. */
  heldAtMs: number;
}

/** A queue with turns: the owners one after another, and each owner's sites one after another. */
export class TurnQueue<T> {
  readonly #owners = new Map<string, OwnerQueue<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many items of an owner wait for a site. */
  sizeOf({ ownerKey = ANONYMOUS_OWNER, siteKey = UNKNOWN_SITE }: Tenancy): number {
    return this.#owners.get(ownerKey)?.sites.get(siteKey)?.size ?? 0;
  }

  add({ ownerKey = ANONYMOUS_OWNER, siteKey = UNKNOWN_SITE }: Tenancy, item: T): void {
    let owner = this.#owners.get(ownerKey);
    if (owner === undefined) this.#owners.set(ownerKey, (owner = { sites: new Map(), heldAtMs: -Infinity }));
    let items = owner.sites.get(siteKey);
    if (items === undefined) owner.sites.set(siteKey, (items = new Fifo()));
    items.push(item);
    this.#size++;
  }

  /**
   * Takes the next item that may have a slot.
   * @returns undefined where no waiting item may
   */
  take(now: number, refusal: (tenancy: Tenancy) => ShareRefusal | null): T | undefined {
    for (const [ownerKey, owner] of this.#owners) {
      for (const [siteKey, items] of owner.sites) {
        const why = refusal({ ownerKey, siteKey });
        if (why === 'full') break;
        if (why === null) {
          this.#owners.delete(ownerKey);
          owner.sites.delete(siteKey);
          const item = items.shift()!;
          this.#size--;
          if (items.size > 0) owner.sites.set(siteKey, items);
          if (owner.sites.size > 0) this.#owners.set(ownerKey, owner);
          return item;
        }
        owner.heldAtMs = now;
        if (why === 'owner') break;
      }
    }
    return undefined;
  }

  /**
   * Removes items at the heads of the queues while `isOver` returns true.
   * @param isOver gets the head, and when it was last passed over because its owner used its whole share
   */
  drop(isOver: (item: T, heldAtMs: number) => boolean): void {
    for (const [ownerKey, owner] of this.#owners) {
      for (const [siteKey, items] of owner.sites) {
        while (items.size > 0 && isOver(items.peek()!, owner.heldAtMs)) {
          items.shift();
          this.#size--;
        }
        if (items.size === 0) owner.sites.delete(siteKey);
      }
      if (owner.sites.size === 0) this.#owners.delete(ownerKey);
    }
  }
}
