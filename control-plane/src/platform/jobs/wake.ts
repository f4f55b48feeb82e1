/** A latch: it ends the wait of a loop, and remembers a signal that comes while nothing waits. Keeps no process alive. */
export class Wake {
  private signalled = false;
  private endWait: (() => void) | undefined;

  signal(): void {
    this.signalled = true;
    this.endWait?.();
  }

  /** Resolves at the next signal, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.signalled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms).unref();
        this.endWait = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.endWait = undefined;
    this.signalled = false;
  }
}
