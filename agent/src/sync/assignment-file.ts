import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeFrame, encodeFrame } from '../spool/record-frame.js';

const FORMAT = 2;
/** The file is rewritten when its changes are larger than this and than the whole assignment. */
const MIN_JOURNAL_BYTES = 1 << 20;
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The assignment on disk: a whole one, followed by every change. After a torn or lost change the agent names an older
 * revision and gets the change again. The file belongs to one credential, and is encrypted: checks contain passwords of sites.
 */
export class AssignmentFile {
  private fd: number | undefined;
  private baseBytes = 0;
  private journalBytes = 0;
  private replacing: Promise<void> | undefined;
  private waiting: Uint8Array[] = [];
  private broken = true;
  private readonly key: Buffer;

  /** @param secret of the credential, with which the file is encrypted */
  constructor(
    private readonly path: string,
    private readonly credential: string,
    secret: string,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'watchpost assignment', 32));
  }

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
    const opened = payloads.flatMap((payload) => this.opened(payload) ?? []);
    if (opened.length < payloads.length) return [];
    // Nothing may be appended after a torn end: the next change rewrites the file.
    this.broken = offset < bytes.length;
    this.baseBytes = bytes.length;
    return opened;
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
    const frame = encodeFrame(this.sealed(payload));
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
    const whole = Buffer.concat([
      encodeFrame(Buffer.from(this.header())),
      ...payloads.map((payload) => encodeFrame(this.sealed(payload))),
    ]);
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

  private sealed(payload: Uint8Array): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv);
    return Buffer.concat([iv, cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
  }

  /** @returns undefined for what another secret has sealed */
  private opened(sealed: Buffer): Buffer | undefined {
    if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(CIPHER, this.key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      return undefined;
    }
  }

  private header(): string {
    return JSON.stringify({ format: FORMAT, credential: this.credential });
  }
}
