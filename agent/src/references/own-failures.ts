/** The number of targets that must fail, without a success between, before a disconnected agent suspects itself. */
const TARGETS = 2;

/**
 * Detects a lost network on an agent without reference targets: it has lost the control plane, and every check since then
 * failed, on more than one target.
 */
export class OwnFailures {
  private readonly failing = new Set<string>();
  private connected = true;

  setConnected(connected: boolean): void {
    if (connected !== this.connected) this.failing.clear();
    this.connected = connected;
  }

  /** A check of any target succeeded. */
  noteUp(): void {
    // Clearing an empty set makes a new one.
    if (this.failing.size > 0) this.failing.clear();
  }

  /** A check failed. @param target identifies its target, the same for all checks of it */
  noteDown(target: string): void {
    if (!this.connected && this.failing.size < TARGETS) this.failing.add(target);
  }

  get isLikely(): boolean {
    return !this.connected && this.failing.size >= TARGETS;
  }
}
