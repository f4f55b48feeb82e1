/**
 * The members of a workspace by the addresses that documents name them by: the email address in lower case, or the user id
 * of a member whose address is nobody's or not theirs alone.
 */
export class People {
  readonly #addresses = new Map<string, string>();
  readonly #users = new Map<string, string>();
  readonly #shared = new Set<string>();

  constructor(members: readonly { userId: string; email: string | null }[]) {
    const seen = new Set<string>();
    for (const { email } of members)
      if (email !== null) {
        if (seen.has(email)) this.#shared.add(email);
        seen.add(email);
      }
    for (const { userId, email } of members) {
      const address = email === null || this.#shared.has(email) ? userId : email;
      this.#addresses.set(userId, address);
      this.#users.set(address, userId).set(userId, userId);
    }
  }

  addressOf(userId: string): string {
    return this.#addresses.get(userId) ?? userId;
  }

  /** @param address an address, or a user id */
  userOf(address: string): string | undefined {
    return this.#users.get(address);
  }

  /** The address by which a member is known who is named by any of theirs. */
  canonical(address: string): string {
    return this.addressOf(this.userOf(address) ?? address);
  }

  /** What is wrong with an address; undefined where it is that of a member. */
  faultOf(address: string): string | undefined {
    if (this.#users.has(address)) return undefined;
    return this.#shared.has(address)
      ? 'is the address of several members of the workspace: write the user id'
      : 'is no member of the workspace: invite them first';
  }
}
