import { randomInt } from 'node:crypto';
import { DAY_MS } from '@watchpost/shared/time';
import { hashToken, makeToken } from '../../../platform/identity/secret-token.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';

export const LINK_LIFETIME_MS = 7 * DAY_MS;
/** The user of the phone passes the code on, which takes less time than answering a mail. */
export const CODE_LIFETIME_MS = 2 * DAY_MS;
/** After so many wrong codes the right one is refused: with 3 codes a day, 15 of a million can be guessed. */
export const MAX_WRONG_CODES = 5;
const CODE_DIGITS = 6;
const CODE_CONTEXT = 'recipient-code';

/** Creates the token of a link, and the digest to store. 256 random bits cannot be guessed, so it needs no key. */
export function makeLink(): { token: string; secret: Buffer } {
  const token = makeToken();
  return { token, secret: hashToken(token) };
}

/** Creates a code, and the signature to store: a plain digest of six digits could be reversed by trying all codes. */
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
