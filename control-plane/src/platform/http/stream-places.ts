/**
 * The places that one process has for streams, shared by holder. When all are taken, the largest holder gives a place to a holder
 * that has fewer: its oldest stream ends. A holder without a stream always gets a place, so that no number of holders can shut others out.
 */
export class StreamPlaces {
  /** By id, the oldest first. */
  readonly #places = new Map<string, { holder: string; end(): void }>();
  readonly #held = new Map<string, number>();

  constructor(private readonly most: number) {}

  get size(): number {
    return this.#places.size;
  }

  /** Whether `take` would give the holder one more place now. */
  hasOneFor(holder: string): boolean {
    if (this.#places.size < this.most) return true;
    const held = this.#held.get(holder) ?? 0;
    // A place that only moves between equals would move back at the next request.
    return held === 0 || held < this.#largest() - 1;
  }

  /**
   * Takes a place, which may end a stream of the largest holder.
   * @param end ends this stream when its place is given to another holder; its place is free already
   * @returns whether the holder has it
   */
  take(holder: string, id: string, end: () => void): boolean {
    if (!this.hasOneFor(holder)) return false;
    if (this.#places.size >= this.most) this.#endOne();
    this.#places.set(id, { holder, end });
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
    return true;
  }

  release(id: string): void {
    const place = this.#places.get(id);
    if (!place) return;
    this.#places.delete(id);
    const left = this.#held.get(place.holder)! - 1;
    if (left === 0) this.#held.delete(place.holder);
    else this.#held.set(place.holder, left);
  }

  #largest(): number {
    let largest = 0;
    for (const held of this.#held.values()) largest = Math.max(largest, held);
    return largest;
  }

  #endOne(): void {
    const largest = this.#largest();
    for (const [id, { holder, end }] of this.#places) {
      if (this.#held.get(holder) !== largest) continue;
      this.release(id);
      end();
      return;
    }
  }
}
