import { createHash, randomBytes } from 'node:crypto';

/** A new agent token: 256 random bits, named so that a leaked one is recognised. */
export function newAgentToken(): string {
  return `wpa_${randomBytes(32).toString('base64url')}`;
}

/**
 * A token as an operator hands it on: the secret, and behind a dot the hash of the authority by which the agent knows
 * this control plane the first time.
 */
export function pinnedToken(token: string, authorityPin: string | null): string {
  return authorityPin === null ? token : `${token}.${authorityPin}`;
}

/**
 * What is stored of a token, with or without what follows its dot. The look-up goes by this hash: its time tells nothing
 * about any token.
 */
export function hashAgentToken(token: string): Buffer {
  return createHash('sha256').update(token.split('.', 1)[0]!).digest();
}
