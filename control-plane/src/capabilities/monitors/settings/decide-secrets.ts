import type { FaultDetail } from '@watchpost/shared/fault';
import {
  changesDestination,
  keptSecrets,
  maskFields,
  SECRET_NOT_FORWARDED,
  splitFields,
} from '../../../platform/http/secret-fields.js';
import type { MonitorSecrets } from './monitor-settings.js';
import { SECRET_SETTINGS, type SecretSetting, type TypeSettings } from './type-settings-schemas.js';

type Fields = Readonly<Record<string, unknown>>;
/** Settings by type, or what a caller names of them. */
export type SomeSettings = { -readonly [Field in keyof TypeSettings]?: object | undefined };

/** The value of a setting that has secrets; undefined where these settings do not name it. */
export function fieldsOf(
  settings: SomeSettings,
  { field, name }: Pick<SecretSetting, 'field' | 'name'>,
): Fields | null | undefined {
  return (settings[field] as Readonly<Record<string, Fields | null | undefined>> | undefined)?.[name];
}

/** The settings with other values of those that have secrets, where they have them. */
function withFields<Settings extends SomeSettings>(
  settings: Settings,
  change: (fields: Fields, setting: SecretSetting) => Fields,
): Settings {
  const result: SomeSettings = { ...settings };
  for (const setting of SECRET_SETTINGS) {
    const fields = fieldsOf(result, setting);
    const { field, name } = setting;
    if (fields) result[field] = { ...result[field], [name]: change(fields, setting) };
  }
  return result as Settings;
}

/** The settings as they are answered. */
export function withMaskedSecrets<Settings extends SomeSettings>(settings: Settings): Settings {
  return withFields(settings, (fields, { isSecret }) => maskFields(fields, isSecret));
}

/**
 * Separates the secrets from the settings that a caller names; `***` keeps the stored secret of that name.
 * @param current the settings before
 * @param strays whether the destination changes: stored secrets must not be sent to the new one
 */
export function decideSecrets<Settings extends SomeSettings>(
  given: Settings,
  current: SomeSettings,
  stored: MonitorSecrets,
  strays: boolean,
): { given: Settings; secrets: MonitorSecrets; faults: FaultDetail[] } {
  const secrets = { ...stored };
  const faults: FaultDetail[] = [];
  const fault = (path: string, names: readonly string[], message: string): void => {
    for (const name of names) faults.push({ path: `${path}.${name}`, message });
  };
  for (const setting of SECRET_SETTINGS) {
    const { path, sentTo = () => '' } = setting;
    const before = fieldsOf(current, setting) ?? {};
    const after = fieldsOf(given, setting);
    if (after === null) delete secrets[path];
    else if (strays || (after && changesDestination(sentTo(before), sentTo(after))))
      fault(path, keptSecrets(after ?? before, stored[path] ?? {}), SECRET_NOT_FORWARDED);
  }
  const split = withFields(given, (fields, { path, isSecret }) => {
    const parts = splitFields(fields, stored[path] ?? {}, isSecret);
    fault(path, parts.unknown, 'refers to a stored value, but none is stored: send the value itself');
    delete secrets[path];
    if (Object.keys(parts.secrets).length > 0) secrets[path] = parts.secrets;
    return parts.fields;
  });
  return { given: split, secrets, faults };
}
