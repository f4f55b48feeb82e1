import { createHash, randomBytes } from 'node:crypto';
import { isUuid } from '@watchpost/shared/id';
import type { SecretBox } from '../../db/secret-box.js';

const TOKEN_BYTES = 32;
const UNSUBSCRIBE = 'status-page-unsubscribe';

/** A new token for a confirmation link, and what is kept of it. */
export function makeConfirmation(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashConfirmation(token) };
}

/** A plain digest is enough: nobody guesses 256 random bits. */
export function hashConfirmation(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** In every mail: it names the subscriber, sealed, so that nothing need be kept and nobody can make one. */
export function unsubscribeToken(secretBox: SecretBox, subscriberId: string): string {
  return secretBox.seal(subscriberId, UNSUBSCRIBE).toString('base64url');
}

/** @returns undefined for a token that was not made here */
export function subscriberOfToken(secretBox: SecretBox, token: string): string | undefined {
  try {
    const id = secretBox.open(Buffer.from(token, 'base64url'), UNSUBSCRIBE).toString();
    return isUuid(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Where the links of a page lead. */
export function subscribersPath(slug: string): string {
  return `/api/v1/public/status-page/${slug}/subscribers`;
}
