import type { FaultDetail } from '@watchpost/shared/fault';
import { keptSecrets, maskHeaders, SECRET_NOT_FORWARDED, splitHeaders } from '../../../platform/http/secret-headers.js';
import type { MonitorSecrets } from './monitor-settings.js';
import { HEADER_MAPS, type TypeSettings } from './type-settings-schemas.js';

type Headers = Readonly<Record<string, string>>;
type Place = Pick<(typeof HEADER_MAPS)[number], 'field' | 'name'>;
/** Settings by type, or what a caller names of them. */
export type SomeSettings = { -readonly [Field in keyof TypeSettings]?: object | undefined };

/** A map of headers; undefined where these settings do not name it. */
export function givenHeaders(settings: SomeSettings, { field, name }: Place): Headers | undefined {
  return (settings[field] as Readonly<Record<string, Headers | undefined>> | undefined)?.[name];
}

export function headersOf(settings: SomeSettings, place: Place): Headers {
  return givenHeaders(settings, place) ?? {};
}

/** The settings with other maps of headers, where they have them. */
function withHeaders<Settings extends SomeSettings>(
  settings: Settings,
  change: (headers: Headers, path: string) => Headers,
): Settings {
  const result: SomeSettings = { ...settings };
  for (const { path, ...place } of HEADER_MAPS) {
    const headers = givenHeaders(result, place);
    const { field, name } = place;
    if (headers) result[field] = { ...result[field], [name]: change(headers, path) };
  }
  return result as Settings;
}

/** The settings as they are answered. */
export function withMaskedHeaders<Settings extends SomeSettings>(settings: Settings): Settings {
  return withHeaders(settings, maskHeaders);
}

/**
 * Separates the secrets from the headers that a caller names; `***` keeps the stored secret of that name.
 * @param strays whether the destination changes: stored secrets must not be sent to the new one
 */
export function decideHeaderSecrets<Settings extends SomeSettings>(
  given: Settings,
  stored: MonitorSecrets,
  strays: boolean,
): { given: Settings; secrets: MonitorSecrets; faults: FaultDetail[] } {
  const secrets = { ...stored };
  const faults: FaultDetail[] = [];
  const fault = (path: string, names: readonly string[], message: string): void => {
    for (const name of names) faults.push({ path: `${path}.${name}`, message });
  };
  if (strays)
    for (const { path, ...place } of HEADER_MAPS)
      fault(path, keptSecrets(givenHeaders(given, place), stored[path] ?? {}), SECRET_NOT_FORWARDED);
  const split = withHeaders(given, (headers, path) => {
    const parts = splitHeaders(headers, stored[path] ?? {});
    fault(path, parts.unknown, 'refers to a stored value, but none is stored: send the value itself');
    delete secrets[path];
    if (Object.keys(parts.secrets).length > 0) secrets[path] = parts.secrets;
    return parts.headers;
  });
  return { given: split, secrets, faults };
}
