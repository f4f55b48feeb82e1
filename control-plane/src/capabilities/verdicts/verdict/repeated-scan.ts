import type { BlockRange } from './silence-store.js';

/** A table of up to so many blocks, some 300 series, is read whole each time. */
const LEAST_BLOCKS = 8;
/** The most blocks of one statement, some 300,000 series: 0.1 s. */
const MOST_BLOCKS = 8_192;

/** Reads a table in parts, in the order of its blocks, again and again; the first time all of it at once. */
export class RepeatedScan {
  private next = 0;
  private blocks = 0;
  /** Blocks that are to be read now. */
  private due = Infinity;

  /** @param passMs how long one scan of a large table takes */
  constructor(private readonly passMs: number) {}

  get isDue(): boolean {
    return this.due > 0;
  }

  /** The blocks of the next statement: none where nothing is due. */
  get range(): BlockRange {
    return { from: this.next, until: this.next + Math.min(this.due, MOST_BLOCKS) };
  }

  /** So much time has gone by, ms. */
  advance(ms: number): void {
    this.due += Math.max(LEAST_BLOCKS, Math.ceil((this.blocks * ms) / this.passMs));
  }

  /**
   * The blocks of `range` were read.
   * @param blocks of the whole table
   * @returns whether they were the last ones of a scan
   */
  pass(blocks: number): boolean {
    if (!this.isDue) return false;
    const { from, until } = this.range;
    this.blocks = blocks;
    this.next = until;
    this.due -= until - from;
    if (until < blocks) return false;
    this.next = 0;
    this.due = 0;
    return true;
  }

  /** The whole table is to be read from its start. */
  restart(): void {
    this.next = 0;
    this.due = Infinity;
  }
}
