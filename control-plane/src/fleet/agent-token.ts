import { createHash, randomBytes } from 'node:crypto';

/** A new agent token: 256 random bits, named so that a leaked one is recognised. */
export function newAgentToken(): string {
  return `wpa_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a token. The look-up goes by this hash: its time tells nothing about any token. */
export function hashAgentToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
