import { Fifo } from '@watchpost/shared/queues/fifo';

/**
 * Divides long computations of several callers among the turns of the event loop. Node accepts one connection a turn, so
 * turns of a quarter of a second admit four agents a second, and each message of a handshake waits for a turn too.
 */
export class LoopTurns {
  private readonly waiting = new Fifo<{ units: number; start(): void }>();

  /** @param perTurn the units of work of one turn; a larger part has a turn for itself */
  constructor(private readonly perTurn: number) {}

  /** Resolves in a turn with room for so much work, in the order of the calls. What follows without waiting is in that turn. */
  take(units: number): Promise<void> {
    return new Promise((start) => {
      this.waiting.push({ units, start });
      if (this.waiting.size === 1) setImmediate(this.turn);
    });
  }

  private readonly turn = () => {
    let left = this.perTurn;
    do {
      const { units, start } = this.waiting.shift()!;
      left -= units;
      start();
    } while ((this.waiting.peek()?.units ?? Infinity) <= left);
    if (this.waiting.size > 0) setImmediate(this.turn);
  };
}
