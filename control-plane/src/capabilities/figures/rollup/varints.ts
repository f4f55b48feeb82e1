/** Writes whole numbers from 0 to 2^53 - 1 as LEB128: seven bits a byte, the lowest first. */
export class VarintWriter {
  private readonly bytes: number[] = [];

  write(value: number): void {
    let rest = value;
    // Bit operations would cut it at 32 bits.
    while (rest > 127) {
      this.bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.bytes.push(rest);
  }

  toBuffer(): Buffer {
    return Buffer.from(this.bytes);
  }
}

export class VarintReader {
  private offset = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.offset >= this.bytes.length;
  }

  read(): number {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = this.bytes[this.offset++];
      if (byte === undefined) throw new RangeError('the bytes end in the middle of a number');
      if (byte < 128) return value + byte * weight;
      value += (byte - 128) * weight;
    }
  }
}
