import { hashToken, makeToken } from '../../../platform/identity/secret-token.js';

/** Makes an agent token of 256 random bits. Its prefix lets scanners recognise a leaked token. */
export function newAgentToken(): string {
  return `wpa_${makeToken()}`;
}

/**
 * The token as it is given to an operator: the secret, a dot and the hash of the certificate authority, by which the agent
 * recognises this control plane on its first connection.
 */
export function pinnedToken(token: string, authorityPin: string | null): string {
  return authorityPin === null ? token : `${token}.${authorityPin}`;
}

/**
 * The hash under which a token is stored, with or without the part after its dot. Look-ups compare hashes, so that their
 * time reveals nothing about a token.
 */
export function hashAgentToken(token: string): Buffer {
  return hashToken(token.split('.', 1)[0]!);
}
