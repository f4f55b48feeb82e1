/** Something that one holder has at a time. Those who wait for it get it in the order in which they asked. */
export class Lane {
  readonly #waiting: (() => void)[] = [];
  #isFree = true;

  async acquire(): Promise<void> {
    if (this.#isFree) {
      this.#isFree = false;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** @param restMs nobody has it for so long */
  release(restMs = 0): void {
    if (restMs > 0) setTimeout(() => this.release(), restMs);
    else if (this.#waiting.length > 0) this.#waiting.shift()!();
    else this.#isFree = true;
  }
}
