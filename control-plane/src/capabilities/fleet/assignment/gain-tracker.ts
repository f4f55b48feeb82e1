/** Knows from an agent's acknowledgements when it has everything that an epoch gave it. */
export class GainTracker {
  private acknowledged = 0;
  private awaited: { epoch: string; updates: number } | undefined;

  constructor(private readonly onGained: (epoch: string) => void) {}

  /** @param updates how many updates were sent on this stream until the agent had all of the epoch */
  mark(epoch: string, updates: number): void {
    this.awaited = { epoch, updates };
    this.settle();
  }

  acknowledge(): void {
    this.acknowledged++;
    this.settle();
  }

  private settle(): void {
    if (!this.awaited || this.acknowledged < this.awaited.updates) return;
    const { epoch } = this.awaited;
    this.awaited = undefined;
    this.onGained(epoch);
  }
}
