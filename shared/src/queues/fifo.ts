/** A queue with O(1) at both ends: an array and the index of its first item, trimmed as it empties. */
export class Fifo<T> {
  private items: T[] = [];
  private head = 0;

  get size(): number {
    return this.items.length - this.head;
  }

  push(item: T): void {
    this.items.push(item);
  }

  peek(): T | undefined {
    return this.items[this.head];
  }

  shift(): T | undefined {
    const item = this.items[this.head];
    if (this.size === 0) return undefined;
    this.head++;
    if (this.size === 0 || this.head >= this.size + 256) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  /** The item at `index`, counted from the first. */
  at(index: number): T | undefined {
    return this.items[this.head + index];
  }
}
