const STEP_MS = 1_000;

/** When results were acknowledged, for as long as acknowledged results are kept. */
export class AckTimes {
  /** Oldest first: every result up to `through` was acknowledged by `byMs`. */
  private readonly steps: { byMs: number; through: number }[];

  /**
   * @param first before the oldest result that is kept
   * @param lastMs when the last acknowledgement of the former life came; all of them may have come then
   */
  constructor(
    private readonly keepMs: number,
    { first, through, lastMs }: { first: number; through: number; lastMs: number },
  ) {
    this.steps = [
      { byMs: -Infinity, through: Math.min(first, through) },
      { byMs: lastMs, through },
    ];
  }

  note(through: number, nowMs: number): void {
    const byMs = (Math.floor(nowMs / STEP_MS) + 1) * STEP_MS;
    const last = this.steps.at(-1)!;
    if (last.byMs === byMs) last.through = through;
    // After the clock was set back, results are kept for longer.
    else this.steps.push({ byMs: Math.max(byMs, last.byMs), through });
    while (this.steps.length > 1 && this.steps[1]!.byMs <= nowMs - this.keepMs) this.steps.shift();
  }

  /** The last result that was acknowledged so long ago that it need not be kept. */
  dispensableThrough(nowMs: number): number {
    return this.steps.findLast(({ byMs }) => byMs <= nowMs - this.keepMs)?.through ?? this.steps[0]!.through;
  }
}
