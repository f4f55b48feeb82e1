import type { Ownership } from '../members/decide-owner.js';

/**
 * The checks that an agent keeps until their new owners have taken them over. Those that it lost in one epoch are released at
 * the deadline of that epoch, however many epochs follow: otherwise agents that join one after the other would let it keep
 * them all, and their sites would be checked by several agents.
 */
export class PendingReleases {
  /** The epochs of which something is kept, the oldest first. */
  private epochs: { ownership: Ownership; deadlineMs: number }[] = [];

  get isEmpty(): boolean {
    return this.epochs.length === 0;
  }

  /** When something is released at the latest; undefined if nothing is kept. */
  get deadlineMs(): number | undefined {
    return this.epochs[0]?.deadlineMs;
  }

  /** A new epoch began. @param loses whether the agent has checks that it does not own in this epoch */
  add(ownership: Ownership, deadlineMs: number, loses: boolean): void {
    if (loses) this.epochs.push({ ownership, deadlineMs });
    else this.epochs = [];
  }

  /**
   * The ownerships that decide what is released now: the checks that the agent owns in none of them, so that a check which
   * it regained and lost again has the later deadline. To be settled when it is done. Undefined if nothing is due.
   * @param isTakenOver whether all agents have taken over their checks of the newest epoch
   */
  due(nowMs: number, isTakenOver: boolean): readonly Ownership[] | undefined {
    if (this.isEmpty) return undefined;
    if (isTakenOver) return [this.epochs.at(-1)!.ownership];
    const last = this.epochs.findLastIndex(({ deadlineMs }) => deadlineMs <= nowMs);
    return last === -1 ? undefined : this.epochs.slice(last).map(({ ownership }) => ownership);
  }

  /** What was due with these ownerships is released. */
  settle(released: readonly Ownership[]): void {
    this.epochs.splice(0, this.epochs.findIndex(({ ownership }) => ownership === released[0]) + 1);
  }
}
