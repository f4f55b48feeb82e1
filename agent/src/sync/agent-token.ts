import { createHash } from 'node:crypto';

/** The parts of AGENT_TOKEN: a secret and, after a dot, the hash of the control plane's authority. */
export interface AgentToken {
  secret: string;
  /** SHA-256 of the authority's certificate, base64url; null: only public authorities are trusted. */
  authorityPin: string | null;
}

export function parseAgentToken(text: string): AgentToken {
  const [, secret, pin] = /^(.+)\.([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  return secret === undefined ? { secret: text, authorityPin: null } : { secret, authorityPin: pin! };
}

/** Identifies a token without revealing it: a hash of 256 random bits. */
export function credentialName(secret: string): string {
  return createHash('sha256').update(`watchpost agent ${secret}`).digest('hex').slice(0, 32);
}
