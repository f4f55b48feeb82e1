import { randomBytes } from 'node:crypto';
import type { SealedColumn } from '../../../platform/db/sealed-column.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { GroupSecrets } from './group-content.js';

export const SEALED_GROUP_COLUMNS: readonly SealedColumn[] = [
  { table: 'action_group', column: 'secrets', reads: ['id'], context: ({ id }) => id! },
  { table: 'action_group', column: 'former_secret', reads: ['id'], context: ({ id }) => formerContext(id!) },
];
/** The field of the secrets that signs messages; it is no field of the group. */
export const SIGNING = 'secret';
const formerContext = (groupId: string) => `${groupId}:former`;

/** Seals the secrets of a group for its row; null where there are none. */
export function sealGroupSecrets(box: SecretBox, groupId: string, secrets: GroupSecrets): Buffer | null {
  return Object.keys(secrets).length === 0 ? null : box.seal(JSON.stringify(secrets), groupId);
}

/** @throws SecretBoxError where they were sealed by a key that is gone, or for another group */
export function openGroupSecrets(box: SecretBox, groupId: string, sealed: Buffer | null): GroupSecrets {
  return sealed === null ? {} : (JSON.parse(box.open(sealed, groupId).toString()) as GroupSecrets);
}

/** Seals the signing secret that a rotation replaced, in another context than the secrets of the group. */
export function sealFormerSecret(box: SecretBox, groupId: string, secret: string): Buffer {
  return box.seal(secret, formerContext(groupId));
}

/** @throws SecretBoxError as `openGroupSecrets` */
export function openFormerSecret(box: SecretBox, groupId: string, sealed: Buffer): string {
  return box.open(sealed, formerContext(groupId)).toString();
}

/** How long the former secret also signs after a rotation. */
export const FORMER_SECRET_MS = 24 * 3_600_000;
/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** Creates a signing secret in the notation of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
