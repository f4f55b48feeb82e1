import { once } from 'node:events';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { headerOf, type AnswerHead } from './answer-head.js';
import { ByteSearch } from './byte-search.js';
import { decodeCharset } from './charset-label.js';
import { printable } from './printable.js';
import { sniffCharset, type Charset } from './sniff-charset.js';

/** The content coding of a body cannot be decoded, or its bytes are invalid. */
export class UnreadableBody {
  constructor(readonly coding: string) {}
}

const MOST_CODINGS = 3;
/** Browsers decode zstd too, which Node 20 cannot: such a body is not taken as it came. */
const CODINGS = new Set(['gzip', 'x-gzip', 'br', 'deflate', 'zstd']);
/** Longer texts are searched in linear time, bytes. */
const SHORT_TEXT = 32;

/** A body without its content codings, as text or searched, and what was noted about it. */
export class DecodedBody {
  readonly #charset: Charset;

  constructor(
    readonly bytes: Buffer,
    contentType: string | undefined,
    private readonly codingNote?: string,
    /** The coding whose data end too early: it may have been a longer body. */
    readonly openCoding: string | null = null,
  ) {
    this.#charset = sniffCharset(bytes, contentType);
  }

  /** What is wrong with the body and does not keep browsers from showing it, as sentences. */
  get notes(): string[] {
    return [this.codingNote, this.#charset.note].filter((note) => note !== undefined);
  }

  get text(): string {
    return this.start(this.bytes.length);
  }

  /** The text of the first bytes. */
  start(most: number): string {
    return decodeCharset(this.#charset.name, this.bytes.subarray(0, most));
  }

  /** Whether the text contains another one. Case-sensitive. */
  contains(text: string): boolean {
    // UTF-8 is searched as it is, without a copy of a large body as text.
    const body = this.#charset.name === 'utf-8' ? this.bytes : Buffer.from(this.text);
    const wanted = Buffer.from(text);
    return wanted.length <= SHORT_TEXT ? body.includes(wanted) : new ByteSearch(wanted).push(body);
  }
}

/**
 * Decodes the content codings (RFC 9110 §8.4) of a possibly truncated body, up to `limit` bytes, so that a few KB that
 * decode to gigabytes are cheap. Where a coding does not exist, the body is taken as it came, as browsers do.
 */
export async function decodeBody(
  chunks: readonly Buffer[],
  head: AnswerHead,
  limit: number,
): Promise<DecodedBody | UnreadableBody> {
  let bytes: Buffer = Buffer.concat(chunks);
  const contentType = headerOf(head, 'content-type');
  const contentEncoding = headerOf(head, 'content-encoding') ?? '';
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const unknown = codings.find((coding) => !CODINGS.has(coding));
  if (unknown !== undefined) {
    const note = `Its Content-Encoding is “${printable(contentEncoding)}”: there is no coding “${printable(unknown)}” and the body is taken as it came.`;
    return new DecodedBody(bytes.subarray(0, limit), contentType, note);
  }
  if (codings.length > MOST_CODINGS) return new UnreadableBody('many times over encoded');
  let openCoding: string | null = null;
  for (const coding of codings.reverse()) {
    if (bytes.length === 0) break;
    const decoder = decoderOf(coding, bytes);
    const decoded = decoder === null ? null : await drain(decoder, bytes, limit);
    if (decoded === null) return new UnreadableBody(coding);
    if (decoded.isOpen) openCoding ??= coding;
    bytes = decoded.bytes;
  }
  return new DecodedBody(bytes.subarray(0, limit), contentType, undefined, openCoding);
}

function decoderOf(coding: string, bytes: Buffer): Transform | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // `deflate` is the zlib format; some servers send the bare stream. The two bytes of a zlib header are divisible by 31 (RFC 1950 §2.2).
      return (bytes[0]! & 0x0f) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0
        ? createInflate()
        : createInflateRaw();
    default:
      return null;
  }
}

/** @returns null where the data are not valid; `isOpen`: they end too early */
async function drain(
  decoder: Transform,
  bytes: Buffer,
  limit: number,
): Promise<{ bytes: Buffer; isOpen: boolean } | null> {
  const decoded: Buffer[] = [];
  let length = 0;
  let isOpen = false;
  // The data come out before their end is found missing.
  decoder.write(bytes, () => decoder.end());
  decoder.on('data', (chunk: Buffer) => {
    decoded.push(chunk);
    length += chunk.length;
    if (length >= limit) decoder.destroy();
  });
  try {
    await once(decoder, 'close');
  } catch (error) {
    isOpen = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
    if (length < limit && !isOpen) return null;
  }
  return { bytes: Buffer.concat(decoded), isOpen };
}
