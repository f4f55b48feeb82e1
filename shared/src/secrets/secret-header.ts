/** Headers whose values are secrets, by name: of monitors, of webhooks, and of answers that repeat them. */
const SECRET_HEADER = /^(?:authorization|cookie)$|token|secret|key|auth|password|session|signature/i;

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

/** What stands for a secret. */
export const MASK = '***';
