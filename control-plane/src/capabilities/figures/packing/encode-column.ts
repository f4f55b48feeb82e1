/** Writes bits, the most significant of a number first. */
export class BitWriter {
  private bytes = Buffer.alloc(4_096);
  private length = 0;
  private rest = 0;
  private restBits = 0;

  /** @param width 0 to 32 bits; higher bits of the value are ignored */
  write(value: number, width: number): void {
    // In halves: bit operations on more than 32 bits at once would lose some.
    if (width > 16) {
      this.writeHalf(value >>> 16, width - 16);
      this.writeHalf(value, 16);
    } else this.writeHalf(value, width);
  }

  /** Fills the last byte with zeros. */
  pad(): void {
    if (this.restBits > 0) this.writeHalf(0, 8 - this.restBits);
  }

  /** The bytes so far, padded. */
  toBuffer(): Buffer {
    this.pad();
    return this.bytes.subarray(0, this.length);
  }

  private writeHalf(value: number, width: number): void {
    this.rest = (this.rest << width) | (value & ((1 << width) - 1));
    this.restBits += width;
    if (this.length + 4 > this.bytes.length) this.bytes = Buffer.concat([this.bytes, Buffer.alloc(this.bytes.length)]);
    while (this.restBits >= 8) {
      this.restBits -= 8;
      this.bytes[this.length++] = this.rest >>> this.restBits;
    }
  }
}

/**
 * How a column is encoded. Each value is its distance from the base of the frame that it is in: that of the usual values or
 * that of the rare ones, in as many bits as the largest distance of the frame takes.
 */
export interface ColumnFrame {
  usualBase: number;
  usualWidth: number;
  /** How many values are rare: those before `usualBase`, and those from `usualBase + 2 ** usualWidth` on. */
  rare: number;
  rareBase: number;
  rareWidth: number;
}

/** The number of bits of a whole number from 0 to 2^32 - 1. */
const widthOf = (value: number) => 32 - Math.clz32(value);

/** The frame in which these values take fewest bits. @param values at least one, 32-bit signed integers */
export function decideFrame(values: Int32Array): ColumnFrame {
  const sorted = values.slice().sort();
  const count = sorted.length;
  const [least, greatest] = [sorted[0]!, sorted[count - 1]!];
  let best: ColumnFrame = {
    usualBase: least,
    usualWidth: widthOf(greatest - least),
    rare: 0,
    rareBase: 0,
    rareWidth: 0,
  };
  let bestBits = count * best.usualWidth;
  const mostWidth = best.usualWidth;
  for (let width = 0; width < mostWidth; width++) {
    const { first, length } = widestWindow(sorted, 2 ** width);
    const rare = count - length;
    const rareBase = first > 0 ? least : sorted[first + length]!;
    const rareMost = first + length < count ? greatest : sorted[first - 1]!;
    const rareWidth = widthOf(rareMost - rareBase);
    const bits = count + length * width + rare * rareWidth;
    if (bits >= bestBits) continue;
    bestBits = bits;
    best = { usualBase: sorted[first]!, usualWidth: width, rare, rareBase, rareWidth };
  }
  return best;
}

/** The most values that differ by less than `size`. */
function widestWindow(sorted: Int32Array, size: number): { first: number; length: number } {
  let [first, length, end] = [0, 0, 0];
  for (let start = 0; start < sorted.length && sorted.length - start > length; start++) {
    const most = sorted[start]! + size;
    while (end < sorted.length && sorted[end]! < most) end++;
    if (end - start > length) [first, length] = [start, end - start];
  }
  return { first, length };
}

/** Writes the frame: 96 bits. The function `unpacked_result` of the database reads it. */
export function writeFrame(bits: BitWriter, frame: ColumnFrame): void {
  bits.write(frame.usualWidth, 8);
  bits.write(frame.rareWidth, 8);
  bits.write(frame.rare, 16);
  bits.write(frame.usualBase, 32);
  bits.write(frame.rareBase, 32);
}

/** Writes the values: which of them are rare, unless none is; the usual ones; the rare ones. Each begins at a whole byte. */
export function writeColumn(bits: BitWriter, values: Int32Array, frame: ColumnFrame): void {
  const { usualBase, usualWidth, rare, rareBase, rareWidth } = frame;
  const end = usualBase + 2 ** usualWidth;
  const isRare = (value: number) => rare > 0 && (value < usualBase || value >= end);
  if (rare > 0) for (const value of values) bits.write(isRare(value) ? 1 : 0, 1);
  bits.pad();
  if (usualWidth > 0) for (const value of values) if (!isRare(value)) bits.write(value - usualBase, usualWidth);
  bits.pad();
  if (rareWidth > 0) for (const value of values) if (isRare(value)) bits.write(value - rareBase, rareWidth);
  bits.pad();
}
