/** The limit of what evaluating the assertions of one check may cost: a character that a pattern examines costs 1, which is about 40 ns. */
const MOST_WORK = 2_500_000;

/** There was more work than one check may cause. */
export class TooMuchWork extends Error {}

/** The work that is left for the assertions of a check. It is counted, not timed: the same answer has the same verdict on a busy machine. */
export class Work {
  constructor(private left = MOST_WORK) {}

  /** @throws TooMuchWork */
  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new TooMuchWork();
  }
}
