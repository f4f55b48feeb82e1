import { createHash, createHmac } from 'node:crypto';

export function hmacHex(secret: unknown, ...parts: readonly (string | Buffer)[]): string {
  const hmac = createHmac('sha256', String(secret));
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

/** The secret for services that sign nothing and send a fixed value: the SHA-256 of a secret of the group, in hex. */
export function derivedSecret(secret: unknown): string {
  return createHash('sha256').update(String(secret)).digest('hex');
}
