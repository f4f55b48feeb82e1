import { randomBytes } from 'node:crypto';
import type { SealedColumn } from '../../../platform/db/sealed-column.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { GroupContent, GroupSecrets } from './group-content.js';

export const SEALED_GROUP_COLUMNS: readonly SealedColumn[] = [
  { table: 'action_group', column: 'secrets', reads: ['id'], context: ({ id }) => id! },
  { table: 'action_group', column: 'former_secret', reads: ['id'], context: ({ id }) => formerContext(id!) },
];
/** The field of the secrets that signs messages; it is no field of the group. */
const SIGNING = 'secret';
const formerContext = (groupId: string) => `${groupId}:former`;

/** Seals the secrets of a group for its row; null where there are none. */
export function sealGroupSecrets(box: SecretBox, groupId: string, secrets: GroupSecrets): Buffer | null {
  return Object.keys(secrets).length === 0 ? null : box.seal(JSON.stringify(secrets), groupId);
}

/** @throws SecretBoxError where they were sealed by a key that is gone, or for another group */
export function openGroupSecrets(box: SecretBox, groupId: string, sealed: Buffer | null): GroupSecrets {
  return sealed === null ? {} : (JSON.parse(box.open(sealed, groupId).toString()) as GroupSecrets);
}

/** Returns the secrets that stand behind the masks of a group, by field: `webhookUrl`, `headers.Authorization`. */
export function secretsByField({ settings, secrets }: GroupContent): Record<string, string> {
  const headers = secrets.headers ?? {};
  const values = Object.keys(settings.headers ?? {}).flatMap((name): [string, string][] =>
    Object.hasOwn(headers, name.toLowerCase()) ? [[`headers.${name}`, headers[name.toLowerCase()]!]] : [],
  );
  const fields = Object.entries(secrets).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && name !== SIGNING ? [[name, value]] : [],
  );
  return Object.fromEntries([...values, ...fields]);
}

/** Seals the signing secret that a rotation replaced, in another context than the secrets of the group. @returns with the end of the time in which it also signs */
export function sealFormerSecret(
  box: SecretBox,
  groupId: string,
  secret: string,
  nowMs: number,
): { sealed: Buffer; until: Date } {
  return { sealed: box.seal(secret, formerContext(groupId)), until: new Date(nowMs + FORMER_SECRET_MS) };
}

/** @throws SecretBoxError as `openGroupSecrets` */
export function openFormerSecret(box: SecretBox, groupId: string, sealed: Buffer): string {
  return box.open(sealed, formerContext(groupId)).toString();
}

/** How long the former secret also signs after a rotation. */
const FORMER_SECRET_MS = 24 * 3_600_000;
/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** Creates a signing secret in the notation of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
