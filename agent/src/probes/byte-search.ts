/**
 * Searches for bytes in parts as they arrive, over their borders too, in one pass: Knuth, Morris and Pratt, SIAM J. Comput.
 * 6(2), 1977. The built-in search is quadratic for a long text that nearly matches at every position.
 */
export class ByteSearch {
  readonly #border: Int32Array;
  #matched = 0;

  constructor(private readonly wanted: Buffer) {
    const border = (this.#border = new Int32Array(wanted.length));
    for (let at = 1, length = 0; at < wanted.length; at++) {
      while (length > 0 && wanted[at] !== wanted[length]) length = border[length - 1]!;
      if (wanted[at] === wanted[length]) length++;
      border[at] = length;
    }
  }

  /** Searches the next part. @returns true once the bytes were found */
  push(part: Buffer): boolean {
    const { wanted } = this;
    const border = this.#border;
    let matched = this.#matched;
    for (let at = 0; at < part.length && matched < wanted.length; at++) {
      while (matched > 0 && part[at] !== wanted[matched]) matched = border[matched - 1]!;
      if (part[at] === wanted[matched]) matched++;
    }
    this.#matched = matched;
    return matched === wanted.length;
  }
}
