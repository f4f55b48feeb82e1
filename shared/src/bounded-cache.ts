/** A map with at most `capacity` entries, which evicts the least recently used one. */
export class BoundedCache<Key, Value> {
  // A Map keeps the order of insertion; reading an entry moves it to the end.
  readonly #entries = new Map<Key, Value>();
  // Kept, because a new iterator passes over the places of all entries that were moved or evicted since the Map last grew.
  readonly #oldest = this.#entries.keys();

  constructor(private readonly capacity: number) {
    if (!(capacity >= 1)) throw new RangeError('a cache holds at least one entry');
  }

  get size(): number {
    return this.#entries.size;
  }

  /** From the least to the most recently used entry. */
  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries();
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.capacity) this.#entries.delete(this.#oldest.next().value!);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
