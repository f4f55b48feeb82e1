import { write, writeSync } from 'node:fs';

/** After a write that failed: of a full disk, and of a full pipe, which its reader soon empties. */
const RETRY_MS = 1_000;
const PIPE_RETRY_MS = 50;

/**
 * Where pino writes its lines: a file descriptor, without ever blocking the program. While the disk is full, lines wait up to
 * `maxWaitingBytes`, and more are dropped. When the program ends, waiting lines are written if that works at once: sonic-boom,
 * the usual output of pino, tries it forever there.
 */
export class LogOutput {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private isBusy = false;

  constructor(
    private readonly maxWaitingBytes: number,
    private readonly fd = 1,
  ) {
    process.once('exit', () => this.flushSync());
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.waitingBytes + bytes.length > this.maxWaitingBytes) return;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (!this.isBusy) this.writeWaiting();
  }

  /** Writes what waits, but not what is being written: Node.js finishes that before it exits. */
  flushSync(): void {
    try {
      for (let chunk = this.take(); chunk.length > 0;) chunk = chunk.subarray(writeSync(this.fd, chunk));
    } catch {
      // What the disk does not take is lost.
    }
  }

  private writeWaiting(): void {
    this.isBusy = true;
    const chunk = this.take();
    write(this.fd, chunk, (error, written) => {
      this.putBack(chunk.subarray(error ? 0 : written));
      if (error) setTimeout(() => this.writeWaiting(), error.code === 'EAGAIN' ? PIPE_RETRY_MS : RETRY_MS).unref();
      else if (this.waitingBytes > 0) this.writeWaiting();
      else this.isBusy = false;
    });
  }

  private take(): Buffer {
    const chunk = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    return chunk;
  }

  private putBack(rest: Buffer): void {
    if (rest.length === 0) return;
    this.waiting.unshift(rest);
    this.waitingBytes += rest.length;
  }
}
