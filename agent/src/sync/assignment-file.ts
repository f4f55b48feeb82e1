import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeFrame, encodeFrame } from '../spool/record-frame.js';

const FORMAT = 1;
/** The file is rewritten when its changes are larger than this and than the whole assignment. */
const MIN_JOURNAL_BYTES = 1 << 20;

/**
 * The assignment on disk: a whole one, followed by every change. After a torn or lost change the agent names an older
 * revision and gets the change again. The file belongs to one credential.
 */
export class AssignmentFile {
  private fd: number | undefined;
  private baseBytes = 0;
  private journalBytes = 0;
  private replacing: Promise<void> | undefined;
  private waiting: Uint8Array[] = [];
  private broken = true;

  constructor(
    private readonly path: string,
    private readonly credential: string,
  ) {}

  /** The stored payloads in order; none where the file is missing or belongs to another credential. */
  load(): Buffer[] {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.path);
    } catch {
      return [];
    }
    const payloads: Buffer[] = [];
    let offset = 0;
    for (let frame = decodeFrame(bytes, 0); frame.kind === 'record'; frame = decodeFrame(bytes, offset)) {
      payloads.push(frame.payload);
      offset = frame.next;
    }
    const header = payloads.shift();
    if (!header || header.toString() !== this.header()) return [];
    // Nothing may be appended after a torn end: the next change rewrites the file.
    this.broken = offset < bytes.length;
    this.baseBytes = bytes.length;
    return payloads;
  }

  /** Whether the next change should rewrite the whole assignment. */
  get wantsWhole(): boolean {
    return this.broken || this.journalBytes > Math.max(MIN_JOURNAL_BYTES, this.baseBytes);
  }

  /** Appends a change. @throws where the write fails; the file keeps the revision before */
  append(payload: Uint8Array): void {
    if (this.replacing) {
      this.waiting.push(payload);
      return;
    }
    const frame = encodeFrame(payload);
    try {
      this.fd ??= openSync(this.path, 'a', 0o600);
      for (let written = 0; written < frame.length;) written += writeSync(this.fd, frame, written);
    } catch (error) {
      this.broken = true;
      throw error;
    }
    this.journalBytes += frame.length;
  }

  /** Replaces the whole assignment atomically; changes meanwhile are appended to it. */
  async replace(payloads: readonly Uint8Array[]): Promise<void> {
    await this.replacing?.catch(() => {});
    this.replacing = this.write(payloads);
    try {
      await this.replacing;
      this.broken = false;
    } catch (error) {
      this.broken = true;
      throw error;
    } finally {
      this.replacing = undefined;
      const waiting = this.waiting.splice(0);
      if (!this.broken) for (const payload of waiting) this.append(payload);
    }
  }

  /** Deletes the assignment. */
  remove(): void {
    this.close();
    rmSync(this.path, { force: true });
    this.broken = true;
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }

  private async write(payloads: readonly Uint8Array[]): Promise<void> {
    const draft = `${this.path}.new`;
    const whole = Buffer.concat([encodeFrame(Buffer.from(this.header())), ...payloads.map(encodeFrame)]);
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(whole);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.path);
    const folder = await open(dirname(this.path), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    this.close();
    this.baseBytes = whole.length;
    this.journalBytes = 0;
  }

  private header(): string {
    return JSON.stringify({ format: FORMAT, credential: this.credential });
  }
}
