/** A lock that waiting callers get in the order of their requests. */
export class FairLock {
  readonly #waiting: (() => void)[] = [];
  #isFree = true;

  async acquire(): Promise<void> {
    if (this.#isFree) {
      this.#isFree = false;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** @param restMs the lock stays taken for this time */
  release(restMs = 0): void {
    if (restMs > 0) setTimeout(() => this.release(), restMs);
    else if (this.#waiting.length > 0) this.#waiting.shift()!();
    else this.#isFree = true;
  }
}
