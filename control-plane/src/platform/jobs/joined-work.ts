interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Joins what several callers do at the same time: while one run is in progress, what comes meanwhile waits for the next
 * one. The first never waits. Each caller has one item here at most, so what waits is bounded by the callers.
 *
 * If a run of several items fails, each is run alone, so that an item fails only by itself.
 */
export class JoinedWork<Item, Result> {
  readonly #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;

  /**
   * @param run does the work of several items, and returns their results in the same order; or nothing was done
   * @param most items of one run
   */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly most: number,
  ) {}

  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const joined = this.#waiting.splice(0, this.most);
      if (!(await this.#runJoined(joined))) for (const one of joined) await this.#runAlone(one);
    }
    this.#isRunning = false;
  }

  /** @returns whether it is done; an item that was alone is, also where it failed */
  async #runJoined(joined: readonly Waiting<Item, Result>[]): Promise<boolean> {
    if (joined.length === 1) {
      await this.#runAlone(joined[0]!);
      return true;
    }
    try {
      const results = await this.run(joined.map(({ item }) => item));
      for (const [index, { resolve }] of joined.entries()) resolve(results[index]!);
      return true;
    } catch {
      return false;
    }
  }

  async #runAlone({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    try {
      const [result] = await this.run([item]);
      resolve(result!);
    } catch (error) {
      reject(error);
    }
  }
}
