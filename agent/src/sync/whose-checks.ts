/** An agent whose stream still stands after that has kept its checks, ms. */
const STANDING_MS = 2_000;
/** One whose stream broke waits for another, but not so long that what it missed could not be made up for. */
const BROKEN_MS = 3_000;
/** … unless it has another by then, and is about to be told, ms. */
const TELLING_MS = 4_000;

/** Knows whether the control plane has said whose the checks are, since a moment from which on they may be another's. */
export class WhoseChecks {
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

  /** An update is on the schedule, whole. */
  told(): void {
    const heard = this.waiting.filter(({ since }) => since < this.streams);
    this.waiting = this.waiting.filter(({ since }) => since === this.streams);
    for (const { resolve } of heard) resolve();
  }

  /**
   * Resolves when it is clear whose the due times are that passed while this process stood still: it may have been taken
   * for dead meanwhile. Where nobody says, they are ours.
   */
  async afterStandstill(): Promise<void> {
    const since = this.streams;
    const told = new Promise<void>((resolve) => this.waiting.push({ since, resolve }));
    if ((await within(told, STANDING_MS)) || (this.isOpen && this.streams === since)) return;
    if (await within(told, BROKEN_MS)) return;
    if (this.isOpen && this.streams > since) await within(told, TELLING_MS);
  }
}

async function within(told: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const answer = await Promise.race([told.then(() => true), late]);
  clearTimeout(timer);
  return answer;
}
