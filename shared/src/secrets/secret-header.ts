/** Names of headers with secret values, in monitors, webhooks and responses that repeat them. */
const SECRET_HEADER = /^(?:authorization|cookie)$|token|secret|key|auth|password|session|signature/i;

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/** Replaces a secret. */
export const MASK = '***';
