import { randomBytes } from 'node:crypto';

/** How long the secret before the last rotation still signs beside the new one. */
export const FORMER_SECRET_MS = 24 * 3_600_000;
/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A fresh signing secret, as Standard Webhooks spells it. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
