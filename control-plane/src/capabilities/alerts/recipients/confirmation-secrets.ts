import { createHash, randomBytes, randomInt } from 'node:crypto';
import { DAY_MS } from '@watchpost/shared/time';
import type { SecretBox } from '../../../platform/db/secret-box.js';

export const LINK_LIVES_MS = 7 * DAY_MS;
/** A code is typed while both people think of it. */
export const CODE_LIVES_MS = 2 * DAY_MS;
/** Wrong codes until the right one is of no use: 3 codes a day leave a guesser 15 of a million. */
export const MOST_WRONG_CODES = 5;
const TOKEN_BYTES = 32;
const CODE_DIGITS = 6;
const CODE_CONTEXT = 'recipient-code';

/** A token for a link, and what is kept of it: nobody guesses 256 random bits, so a plain digest is enough. */
export function makeLink(): { token: string; secret: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, secret: hashLink(token) };
}

export function hashLink(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A code, and what is kept of it: signed, because a reader of the database could try all digests of six digits. */
export function makeCode(secretBox: SecretBox, recipientId: string): { code: string; secret: Buffer } {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  return { code, secret: secretBox.sign(codeBytes(recipientId, code), CODE_CONTEXT) };
}

export function isValidCode(secretBox: SecretBox, recipientId: string, code: string, secret: Buffer): boolean {
  return secretBox.isSigned(codeBytes(recipientId, code), secret, CODE_CONTEXT);
}

function codeBytes(recipientId: string, code: string): Buffer {
  return Buffer.from(`${recipientId} ${code}`);
}
