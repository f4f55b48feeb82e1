import { createHash, randomBytes } from 'node:crypto';
import { isUuid } from '@watchpost/shared/id';
import type { SecretBox } from '../../../platform/db/secret-box.js';

const TOKEN_BYTES = 32;
const UNSUBSCRIBE = 'status-page-unsubscribe';

/** A new token for a confirmation link, and what is kept of it. */
export function makeConfirmation(slug: string): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashConfirmation(slug, token) };
}

/** A plain digest is enough: nobody guesses 256 random bits. A token works under the address that it was sent for. */
export function hashConfirmation(slug: string, token: string): Buffer {
  return createHash('sha256').update(`${slug} ${token}`).digest();
}

/**
 * In every mail: it names the subscriber, sealed, so that nothing need be kept and nobody can make one. It belongs to
 * the address that the page had then, and goes on working when the page has moved.
 */
export function unsubscribeToken(secretBox: SecretBox, slug: string, subscriberId: string): string {
  return secretBox.seal(subscriberId, `${UNSUBSCRIBE} ${slug}`).toString('base64url');
}

/** @returns undefined for a token that was not made here, for this address */
export function subscriberOfToken(secretBox: SecretBox, slug: string, token: string): string | undefined {
  try {
    const id = secretBox.open(Buffer.from(token, 'base64url'), `${UNSUBSCRIBE} ${slug}`).toString();
    return isUuid(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Where the links of a page lead. */
export function subscribersPath(slug: string): string {
  return `/api/v1/public/status-page/${slug}/subscribers`;
}
