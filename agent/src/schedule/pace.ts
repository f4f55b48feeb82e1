/** What is overdue all at once is started this far apart: 400 a second, besides the regular load. */
const PACE_MS = 2.5;

/** When each of many things that are overdue is to start. */
export class Pace {
  private until = -Infinity;

  next(now: number): number {
    this.until = Math.max(now, this.until + PACE_MS);
    return this.until;
  }

  restart(): void {
    this.until = -Infinity;
  }
}
