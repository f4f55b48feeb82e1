import type { SpoolDisk } from './spool-disk.js';

/**
 * A disk in memory for tests: it can be full, refuse operations, lose unsynced data and flip bits.
 */
export class MemoryDisk implements SpoolDisk {
  private readonly files = new Map<string, { bytes: Buffer; synced: Buffer; modifiedMs: number }>();
  private readonly handles = new Map<number, string>();
  private nextHandle = 3;
  /** Capacity in bytes; a write beyond it writes a part and throws ENOSPC. */
  capacity = Infinity;
  /** The error codes of operations that fail. */
  readonly faults = new Map<'open' | 'write' | 'truncate' | 'sync' | 'remove', string>();

  constructor(private readonly now: () => number) {}

  names = () => [...this.files.keys()];
  modifiedMs = (name: string) => this.files.get(name)!.modifiedMs;
  size = (fd: number) => this.file(fd).bytes.length;
  close = (fd: number) => void this.handles.delete(fd);

  remove(name: string): void {
    this.throwFault('remove');
    this.files.delete(name);
  }

  open(name: string): number {
    this.throwFault('open');
    if (!this.files.has(name))
      this.files.set(name, { bytes: Buffer.alloc(0), synced: Buffer.alloc(0), modifiedMs: this.now() });
    this.handles.set(this.nextHandle, name);
    return this.nextHandle++;
  }

  openToRead(name: string): number {
    return this.open(name);
  }

  read(fd: number, into: Buffer, position: number): number {
    return this.file(fd).bytes.copy(into, 0, position);
  }

  write(fd: number, bytes: Buffer, position: number): void {
    this.throwFault('write');
    const file = this.file(fd);
    const used = [...this.files.values()].reduce((sum, other) => sum + other.bytes.length, 0);
    const grows = Math.max(0, position + bytes.length - file.bytes.length);
    const fits = Math.max(0, bytes.length - Math.max(0, used + grows - this.capacity));
    const grown = Buffer.alloc(Math.max(file.bytes.length, position + fits));
    file.bytes.copy(grown);
    bytes.copy(grown, position, 0, fits);
    file.bytes = grown;
    file.modifiedMs = this.now();
    if (fits < bytes.length)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }

  truncate(fd: number, size: number): void {
    this.throwFault('truncate');
    const file = this.file(fd);
    file.bytes = Buffer.from(file.bytes.subarray(0, size));
  }

  async sync(fd: number): Promise<void> {
    await Promise.resolve();
    this.syncNow(fd);
  }

  syncNow(fd: number): void {
    this.throwFault('sync');
    const file = this.file(fd);
    file.synced = Buffer.from(file.bytes);
  }

  /** Simulates a power cut: each file loses a part of its unsynced end. */
  cutPower(share: number): void {
    this.handles.clear();
    for (const file of this.files.values()) {
      const kept = file.synced.length + Math.floor(Math.max(0, file.bytes.length - file.synced.length) * share);
      file.bytes = Buffer.from(file.bytes.subarray(0, kept));
    }
  }

  flipBit(at: number): void {
    const names = this.names();
    const file = this.files.get(names[at % names.length] ?? '');
    if (!file || file.bytes.length === 0) return;
    file.bytes[at % file.bytes.length]! ^= 1 << (at % 8);
  }

  private throwFault(operation: Parameters<typeof this.faults.get>[0]): void {
    const code = this.faults.get(operation);
    if (code !== undefined) throw Object.assign(new Error(`${code}: ${operation}`), { code });
  }

  private file(fd: number) {
    const file = this.files.get(this.handles.get(fd) ?? '');
    if (!file) throw Object.assign(new Error('EBADF: bad file descriptor'), { code: 'EBADF' });
    return file;
  }
}
