/** A member that does not count beside another member with which it shares a key. */
export interface Keyed {
  /** What it may have in common with others: its owner, its domain, its network. */
  keys: readonly string[];
}

/**
 * Counts how many members of a changing set have nothing in common. The count is that of a greedy choice, which uses each
 * key once: at most the number of owners, domains or networks, and with three keys per member at least a third of the
 * largest choice. The exact maximum is three-dimensional matching, which is NP-hard.
 *
 * A member whose keys are those of others displaces at most one of them per key: one owner, whatever its sites, removes
 * two and adds itself.
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

  /** An upper bound of the count, which needs no search for replacements of deleted members. */
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
