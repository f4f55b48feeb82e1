/** An agent whose stream is still open after this time has kept its checks, ms. */
const STREAM_ALIVE_MS = 2_000;
/** An agent without a stream waits for another one, but not so long that catching up becomes impossible, ms. */
const RECONNECT_MS = 3_000;
/** The wait for the first update on a new stream, ms. */
const UPDATE_MS = 4_000;

/** Knows whether the control plane has confirmed who owns this agent's checks since a given moment. */
export class CheckOwnership {
  private streams = 0;
  private isOpen = false;
  private waiting: { since: number; resolve: () => void }[] = [];

  streamOpened(): void {
    this.streams++;
    this.isOpen = true;
  }

  streamEnded(): void {
    this.isOpen = false;
  }

  /** A complete update is on the schedule. */
  confirmed(): void {
    const answered = this.waiting.filter(({ since }) => since < this.streams);
    this.waiting = this.waiting.filter(({ since }) => since === this.streams);
    for (const { resolve } of answered) resolve();
  }

  /**
   * Resolves when it is known who owns the scheduled times that passed while this process stood still: the control plane
   * may have given the checks to other agents meanwhile. Without an answer in time they are this agent's.
   */
  async afterStandstill(): Promise<void> {
    const since = this.streams;
    const confirmed = new Promise<void>((resolve) => this.waiting.push({ since, resolve }));
    if ((await within(confirmed, STREAM_ALIVE_MS)) || (this.isOpen && this.streams === since)) return;
    if (await within(confirmed, RECONNECT_MS)) return;
    if (this.isOpen && this.streams > since) await within(confirmed, UPDATE_MS);
  }
}

async function within(event: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const isInTime = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
}
