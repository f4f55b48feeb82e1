import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { MonitorSecrets } from './monitor-settings.js';
import { placesOf } from './secret-places.js';
import type { TypeSettings } from './type-settings-schemas.js';

/** Seals the secrets of a monitor for its row; null where there are none. */
export function sealSecrets(box: SecretBox, monitorId: string, secrets: MonitorSecrets): Buffer | null {
  return Object.keys(secrets).length === 0 ? null : box.seal(JSON.stringify(secrets), monitorId);
}

/** @throws SecretBoxError where they were sealed with a missing key or for another monitor */
export function openSecrets(box: SecretBox, monitorId: string, sealed: Buffer | null): MonitorSecrets {
  return sealed === null ? {} : (JSON.parse(box.open(sealed, monitorId).toString()) as MonitorSecrets);
}

/** The secrets by their path as the settings spell it: `http.headers.Authorization`. */
export function namedSecrets(settings: TypeSettings, secrets: MonitorSecrets): ReadonlyMap<string, string> {
  const named = placesOf(settings).flatMap(({ key, path, fields }) =>
    Object.keys(fields).flatMap((name): [string, string][] => {
      const own = secrets[key] ?? {};
      const lower = name.toLowerCase();
      return Object.hasOwn(own, lower) ? [[[...path, name].join('.'), own[lower]!]] : [];
    }),
  );
  return new Map(named);
}

/** The fields of secrets whose value changed, for the audit log. */
export function changedSecrets(settings: TypeSettings, before: MonitorSecrets, after: MonitorSecrets): string[] {
  const former = namedSecrets(settings, before);
  return [...namedSecrets(settings, after)].flatMap(([path, value]) =>
    former.has(path) && former.get(path) !== value ? [path] : [],
  );
}
