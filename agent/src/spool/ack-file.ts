import { crc32 } from 'node:zlib';
import type { SpoolDisk } from './spool-disk.js';

export interface SpoolState {
  /** 16 bytes in hex; identifies the spool that numbers the results. */
  spoolId: string;
  /** Every result up to and including this one is acknowledged. */
  acked: number;
  /** The next sequence number, after a clean end; 0 while running, so that a crash is detected. */
  cleanNext: number;
}

const NAME = 'state';
const SLOT_BYTES = 64;
const USED = 44;

/**
 * The state in two slots that are written alternately: a torn write damages one, and the other is at most one
 * acknowledgement older. Its only effect is that results are sent twice.
 */
export class AckFile {
  private generation = 0;
  private fd: number | undefined;

  constructor(private readonly disk: SpoolDisk) {}

  /** @returns undefined where no slot is valid */
  read(): SpoolState | undefined {
    const bytes = Buffer.alloc(2 * SLOT_BYTES);
    this.disk.read(this.file(), bytes, 0);
    let newest: SpoolState | undefined;
    for (const start of [0, SLOT_BYTES]) {
      const slot = bytes.subarray(start, start + USED);
      const generation = slot.readUInt32LE(0);
      if (generation <= this.generation || crc32(slot.subarray(0, 40)) !== slot.readUInt32LE(40)) continue;
      this.generation = generation;
      newest = {
        spoolId: slot.toString('hex', 4, 20),
        acked: Number(slot.readBigUInt64LE(20)),
        cleanNext: Number(slot.readBigUInt64LE(28)),
      };
    }
    return newest;
  }

  /** When the state was last written; -Infinity if it never was. */
  modifiedMs(): number {
    return this.disk.names().includes(NAME) ? this.disk.modifiedMs(NAME) : -Infinity;
  }

  write(state: SpoolState): void {
    const slot = Buffer.alloc(SLOT_BYTES);
    slot.writeUInt32LE(++this.generation, 0);
    slot.write(state.spoolId, 4, 'hex');
    slot.writeBigUInt64LE(BigInt(state.acked), 20);
    slot.writeBigUInt64LE(BigInt(state.cleanNext), 28);
    slot.writeUInt32LE(crc32(slot.subarray(0, 40)), 40);
    this.disk.write(this.file(), slot, (this.generation % 2) * SLOT_BYTES);
  }

  sync(): void {
    this.disk.syncNow(this.file());
  }

  close(): void {
    if (this.fd === undefined) return;
    this.sync();
    this.disk.close(this.fd);
    this.fd = undefined;
  }

  private file(): number {
    this.fd ??= this.disk.open(NAME);
    return this.fd;
  }
}
