import { isUuid } from '@watchpost/shared/id';
import { hashToken, makeToken } from '../../../platform/identity/secret-token.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';

const UNSUBSCRIBE = 'status-page-unsubscribe';

export function makeConfirmation(slug: string): { token: string; hash: Buffer } {
  const token = makeToken();
  return { token, hash: hashConfirmation(slug, token) };
}

/** A token is valid only for the slug for which it was sent. */
export function hashConfirmation(slug: string, token: string): Buffer {
  return hashToken(`${slug} ${token}`);
}

/**
 * The token of the unsubscribe link in every mail: the encrypted id of the subscriber, so that nothing is stored and nobody
 * can forge one. It contains the slug of that time and stays valid when the slug changes.
 */
export function unsubscribeToken(secretBox: SecretBox, slug: string, subscriberId: string): string {
  return secretBox.seal(subscriberId, `${UNSUBSCRIBE} ${slug}`).toString('base64url');
}

/** @returns undefined for a token that was not made by this installation for this slug */
export function subscriberOfToken(secretBox: SecretBox, slug: string, token: string): string | undefined {
  try {
    const id = secretBox.open(Buffer.from(token, 'base64url'), `${UNSUBSCRIBE} ${slug}`).toString();
    return isUuid(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The addresses of the links of a status page. */
export function subscribersPath(slug: string): string {
  return `/api/v1/public/status-page/${slug}/subscribers`;
}
