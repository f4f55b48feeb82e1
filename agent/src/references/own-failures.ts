/** Different targets that must fail, with nothing fine between, before an agent that is cut off doubts itself. */
const TARGETS = 2;

/**
 * What an agent without reference targets can tell of itself: it has lost the control plane, and since then every
 * check failed, on more than one target. What it then reports as down would be its own fault more likely than theirs.
 */
export class OwnFailures {
  private readonly failing = new Set<string>();
  private connected = true;

  setConnected(connected: boolean): void {
    if (connected !== this.connected) this.failing.clear();
    this.connected = connected;
  }

  /** A check of whatever target came out fine. */
  noteUp(): void {
    this.failing.clear();
  }

  /** @param target whatever stands for it, the same for all checks of it */
  noteDown(target: string): void {
    if (!this.connected && this.failing.size < TARGETS) this.failing.add(target);
  }

  get isLikely(): boolean {
    return !this.connected && this.failing.size >= TARGETS;
  }
}
