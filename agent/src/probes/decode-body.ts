import { once } from 'node:events';
import type { Transform } from 'node:stream';
import { TextDecoder } from 'node:util';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ByteSearch } from './byte-search.js';

/** The content coding of a body is not supported, or its bytes are invalid. */
export class UnreadableBody {
  constructor(readonly coding: string) {}
}

const MOST_CODINGS = 3;
/** Longer texts are searched in linear time, bytes. */
const SHORT_TEXT = 32;
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/**
 * Decodes the content codings (RFC 9110 §8.4) of a possibly truncated body, up to `limit` bytes, so that a few KB that
 * decode to gigabytes are cheap.
 * @param contentEncoding the header's value
 */
export async function decodeBody(
  chunks: readonly Buffer[],
  contentEncoding: string | undefined,
  limit: number,
): Promise<Buffer | UnreadableBody> {
  let bytes: Buffer = Buffer.concat(chunks);
  if (contentEncoding === undefined) return bytes.subarray(0, limit);
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MOST_CODINGS) return new UnreadableBody('many times over encoded');
  for (const coding of codings.reverse()) {
    if (bytes.length === 0) break;
    const decoder = decoderOf(coding, bytes);
    const decoded = decoder === null ? null : await drain(decoder, bytes, limit);
    if (decoded === null) return new UnreadableBody(coding.replaceAll(/[^\w-]/g, '?').slice(0, 30));
    bytes = decoded;
  }
  return bytes.subarray(0, limit);
}

/** Decodes text in the charset of a byte order mark, the Content-Type or a `<meta>`; UTF-8 without any. */
export function decodeText(bytes: Buffer, contentType: string | undefined): string {
  return decoderFor(charsetOf(bytes, contentType)).decode(bytes);
}

/** Whether the bytes contain the text, in the charset that `decodeText` uses. Case-sensitive. */
export function containsText(bytes: Buffer, contentType: string | undefined, text: string): boolean {
  const charset = charsetOf(bytes, contentType);
  // UTF-8 is searched as it is, without a copy of a large body as text.
  const body = charset === 'utf-8' ? bytes : Buffer.from(decoderFor(charset).decode(bytes));
  const wanted = Buffer.from(text);
  return wanted.length <= SHORT_TEXT ? body.includes(wanted) : new ByteSearch(wanted).push(body);
}

function charsetOf(bytes: Buffer, contentType: string | undefined): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const named = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType ?? '')?.[1];
  // The HTML standard searches the first 1024 bytes for a declaration.
  const declared =
    named ?? /<meta[^>]{0,200}charset\s*=\s*["']?([\w:-]+)/i.exec(bytes.toString('latin1', 0, 1024))?.[1];
  const charset = (declared ?? 'utf-8').toLowerCase();
  return charset === 'utf8' || charset === 'us-ascii' ? 'utf-8' : charset;
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function decoderOf(coding: string, bytes: Buffer): Transform | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(LENIENT);
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case 'deflate':
      // `deflate` is the zlib format; some servers send the bare stream. The two bytes of a zlib header are divisible by 31 (RFC 1950 §2.2).
      return (bytes[0]! & 0x0f) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0
        ? createInflate(LENIENT)
        : createInflateRaw(LENIENT);
    default:
      return null;
  }
}

async function drain(decoder: Transform, bytes: Buffer, limit: number): Promise<Buffer | null> {
  const decoded: Buffer[] = [];
  let length = 0;
  decoder.end(bytes);
  decoder.on('data', (chunk: Buffer) => {
    decoded.push(chunk);
    length += chunk.length;
    if (length >= limit) decoder.destroy();
  });
  try {
    await once(decoder, 'close');
  } catch {
    if (length < limit) return null;
  }
  return Buffer.concat(decoded);
}
