import { createHash, randomBytes } from 'node:crypto';

/** A new token that nobody can guess, for links and cookies. */
export function makeToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** The digest that is stored of a token, and finds it: with so many random bits a plain one reveals nothing. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
