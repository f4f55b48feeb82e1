/** Something that may not count beside anything with which it shares a key. */
export interface Keyed {
  /** Each names what it has in common with others: its owner, its domain, its network. */
  keys: readonly string[];
}

/**
 * Counts how many members of a changing set have nothing in common. The count is that of a greedy choice, which takes
 * no key twice: never more than there are owners, domains or networks, and with three keys a member at least a third
 * of the largest choice. The exact maximum is three-dimensional matching, which is NP-hard.
 *
 * Whoever adds members with keys of others displaces at most as many of them as its own choices have keys: one owner,
 * whatever its sites, takes away two and adds itself.
 */
export class IndependentCount<Member extends Keyed> {
  private readonly taken = new Map<string, Member>();
  private readonly waiting = new Set<Member>();
  private chosen = 0;
  private isShort = false;

  add(member: Member): void {
    if (!this.choose(member)) this.waiting.add(member);
  }

  /** Members that were not added are ignored. */
  delete(member: Member): void {
    if (this.waiting.delete(member) || this.taken.get(member.keys[0]!) !== member) return;
    for (const key of member.keys) this.taken.delete(key);
    this.chosen--;
    this.isShort = this.waiting.size > 0;
  }

  /** No more than this is independent; known without looking for others in the place of what was deleted. */
  get bound(): number {
    return this.chosen + this.waiting.size;
  }

  get size(): number {
    if (this.isShort) {
      for (const member of this.waiting) if (this.choose(member)) this.waiting.delete(member);
      this.isShort = false;
    }
    return this.chosen;
  }

  private choose(member: Member): boolean {
    if (member.keys.some((key) => this.taken.has(key))) return false;
    for (const key of member.keys) this.taken.set(key, member);
    this.chosen++;
    return true;
  }
}
