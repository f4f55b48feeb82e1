import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { COMPRESSED_FROM_BYTES } from '../../platform/http/answering/compress-answers.js';
import { decideEncoding } from '../../platform/http/decide-encoding.js';
import type { ApiAnswer } from '../../platform/http/route.js';
import type { BuildWork } from './build-work.js';

/** A text in the forms in which it is sent, plain and compressed, made once for all visitors. */
export interface PackedText {
  plain: Buffer;
  packed: Buffer | null;
  headers: Record<string, string>;
  type: string;
}

const packInPool = promisify(gzip);

/**
 * @param make runs in one slice of work
 * @param policy its Content-Security-Policy
 */
export async function packText(work: BuildWork, make: () => string, type: string, policy: string): Promise<PackedText> {
  const text = await work.slice(make);
  const plain = await work.slice(() => Buffer.from(text));
  const tag = await work.slice(() => createHash('sha256').update(plain).digest('base64url').slice(0, 27));
  work.leaveLoop();
  const headers = { ETag: `W/"${tag}"`, 'Content-Security-Policy': policy, Vary: 'Accept-Encoding' };
  return { plain, packed: plain.length < COMPRESSED_FROM_BYTES ? null : await packInPool(plain), headers, type };
}

/** @param accepts the `Accept-Encoding` of the request */
export function answerPacked(
  { plain, packed, headers, type }: PackedText,
  accepts: string | string[] | undefined,
): ApiAnswer {
  const takesGzip = decideEncoding(accepts?.toString(), ['gzip']) === 'gzip';
  if (!packed || !takesGzip) return { body: plain, type, headers };
  return { body: packed, type, headers: { ...headers, 'Content-Encoding': 'gzip' } };
}
