/** Finds out from an agent's acknowledgements when it has taken over all checks that it gained in an epoch. */
export class TakeoverTracker {
  private acknowledged = 0;
  private awaited: { epoch: string; updates: number } | undefined;

  constructor(private readonly onTakenOver: (epoch: string) => void) {}

  /** @param updates how many updates the stream has sent when all checks of the epoch are sent */
  expect(epoch: string, updates: number): void {
    this.awaited = { epoch, updates };
    this.notifyIfComplete();
  }

  acknowledge(): void {
    this.acknowledged++;
    this.notifyIfComplete();
  }

  private notifyIfComplete(): void {
    if (!this.awaited || this.acknowledged < this.awaited.updates) return;
    const { epoch } = this.awaited;
    this.awaited = undefined;
    this.onTakenOver(epoch);
  }
}
