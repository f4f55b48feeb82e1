import type { SealedColumn } from '../../../platform/db/sealed-column.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { HttpSecrets } from './monitor-settings.js';

export const SEALED_MONITOR_SECRETS: SealedColumn = {
  table: 'monitor',
  column: 'http_secrets',
  reads: ['id'],
  context: ({ id }) => id!,
};

/** Seals the secret headers of a monitor for its row; null where there are none. */
export function sealSecrets(box: SecretBox, monitorId: string, secrets: HttpSecrets): Buffer | null {
  return Object.keys(secrets).length === 0 ? null : box.seal(JSON.stringify(secrets), monitorId);
}

/** @throws SecretBoxError where they were sealed with a missing key or for another monitor */
export function openSecrets(box: SecretBox, monitorId: string, sealed: Buffer | null): HttpSecrets {
  return sealed === null ? {} : (JSON.parse(box.open(sealed, monitorId).toString()) as HttpSecrets);
}

/** The fields of secret headers whose value changed, for the audit log. */
export function changedSecrets(headers: object, before: HttpSecrets, after: HttpSecrets): string[] {
  return Object.keys(headers).flatMap((name) => {
    const lower = name.toLowerCase();
    const isOther = Object.hasOwn(before, lower) && Object.hasOwn(after, lower) && before[lower] !== after[lower];
    return isOther ? [`http.headers.${name}`] : [];
  });
}
