import { mixHash } from '@watchpost/shared/mix-hash';

const FIRST_SLOTS = 1_024;
/** For 1,000,000 monitors. */
const MAX_SLOTS = 2 ** 21;
/** How far from its first slot a monitor is looked for. */
const MAX_PROBES = 128;

/**
 * The check intervals of many monitors, in typed arrays: 32 to 64 bytes per monitor with the free slots, where an object in
 * a map takes 100 per series. The table doubles until it has its greatest size. After that, a monitor that finds no free
 * slot near its own replaces another one, so that with too many monitors a part of them is known at any time. A table
 * that dropped the oldest monitor would know none: they report in turns.
 */
export class IntervalTable {
  private keys: Float64Array;
  private intervals: Uint32Array;
  /** Seconds since the epoch. */
  private since: Uint32Array;
  private used = 0;

  constructor(private readonly maxSlots = MAX_SLOTS) {
    const slots = Math.min(FIRST_SLOTS, maxSlots);
    this.keys = new Float64Array(slots);
    this.intervals = new Uint32Array(slots);
    this.since = new Uint32Array(slots);
  }

  get size(): number {
    return this.used;
  }

  get bytes(): number {
    return this.keys.byteLength + this.intervals.byteLength + this.since.byteLength;
  }

  /** The monitor's check interval in ms; undefined if it is not known for this time. */
  intervalAt(monitorKey: number, atMs: number): number | undefined {
    const slot = this.slotOf(monitorKey);
    const isKnown = monitorKey > 0 && this.keys[slot] === monitorKey && atMs >= this.since[slot]! * 1_000;
    return isKnown ? this.intervals[slot] : undefined;
  }

  /**
   * @param monitorKey a positive safe integer
   * @param sinceMs the interval is known from the next full second on
   */
  set(monitorKey: number, intervalMs: number, sinceMs: number): void {
    let slot = this.slotOf(monitorKey);
    if (this.keys[slot] === 0 && this.used * 2 >= this.keys.length && this.keys.length < this.maxSlots) {
      this.grow();
      slot = this.slotOf(monitorKey);
    }
    if (this.keys[slot] === 0) this.used++;
    this.keys[slot] = monitorKey;
    this.intervals[slot] = intervalMs;
    this.since[slot] = Math.ceil(sinceMs / 1_000);
  }

  /** The monitor's slot; else the first free one near its own, else its own. */
  private slotOf(monitorKey: number): number {
    const mask = this.keys.length - 1;
    const first = slotHash(monitorKey) & mask;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (first + probe) & mask;
      const key = this.keys[slot];
      if (key === monitorKey || key === 0) return slot;
    }
    return first;
  }

  private grow(): void {
    const { keys, intervals, since } = this;
    const slots = keys.length * 2;
    this.keys = new Float64Array(slots);
    this.intervals = new Uint32Array(slots);
    this.since = new Uint32Array(slots);
    this.used = 0;
    for (const [index, key] of keys.entries()) {
      if (key === 0) continue;
      const slot = this.slotOf(key);
      if (this.keys[slot] === 0) this.used++;
      this.keys[slot] = key;
      this.intervals[slot] = intervals[index]!;
      this.since[slot] = since[index]!;
    }
  }
}

/** Of both halves of the key. */
function slotHash(key: number): number {
  return mixHash((key >>> 0) ^ Math.imul(Math.floor(key / 0x1_0000_0000), 0x9e3779b1));
}
