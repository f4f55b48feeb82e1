/** A latch: whoever waits is woken by a signal, also by one that came before it waited. */
export class Wake {
  private signalled = false;
  private waiter: (() => void) | undefined;

  signal(): void {
    this.signalled = true;
    this.waiter?.();
  }

  /** Resolves at the next signal, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.signalled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.waiter = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.waiter = undefined;
    this.signalled = false;
  }
}
