import { createHash } from 'node:crypto';

/** The name of a tag without its attributes, or a run of characters that may be a word, a number, an id or an address. */
const RUNS = /<(\/?[a-z][a-z0-9-]*)[^>]*|([\p{L}\p{N}._~:/?#@%&=+-]+)/gu;
const WORD = /^\p{L}{1,20}$/u;

/**
 * A digest of a response that is the same where responses look alike: of the status, the tags and the plain words at the
 * start of the body. A device that answers for all sites puts the address that was asked for, the time and ids into its page;
 * so whatever is no plain word is left out.
 */
export function answerDigest(statusCode: number | null, bodyStart = ''): number {
  const hash = createHash('sha256').update(String(statusCode));
  for (const [, tag, word] of bodyStart.toLowerCase().matchAll(RUNS)) {
    if (tag !== undefined) hash.update(` <${tag}`);
    else if (WORD.test(word!)) hash.update(` ${word}`);
  }
  // 0 is no digest on the wire.
  return hash.digest().readInt32BE() || 1;
}
