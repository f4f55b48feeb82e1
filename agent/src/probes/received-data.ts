import { ByteSearch } from './byte-search.js';

/** The part of a response that is kept as evidence; a connection is not read beyond it. */
export const MOST_RECEIVED_BYTES = 64 * 1024;

/** What a TCP or UDP service sent, and whether the expected bytes were among it: in one part, or over several. */
export class ReceivedData {
  readonly #search: ByteSearch | null;
  #kept = Buffer.alloc(0);
  #length = 0;

  constructor(expected: Buffer | null) {
    this.#search = expected && new ByteSearch(expected);
  }

  /** @returns true once the expected bytes have arrived */
  add(part: Buffer): boolean {
    this.#keep(part.subarray(0, MOST_RECEIVED_BYTES - this.#length));
    return this.#search?.push(part) ?? false;
  }

  get bytes(): Buffer {
    return this.#kept.subarray(0, this.#length);
  }

  #keep(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#kept.length) {
      // Doubled, so that a response in single bytes costs linear time.
      const grown = Buffer.alloc(Math.min(Math.max(1_024, 2 * length), MOST_RECEIVED_BYTES));
      this.#kept.copy(grown, 0, 0, this.#length);
      this.#kept = grown;
    }
    part.copy(this.#kept, this.#length);
    this.#length = length;
  }
}
