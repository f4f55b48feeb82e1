import { isDeepStrictEqual } from 'node:util';
import type { FaultDetail } from '@watchpost/shared/fault';
import {
  joinFields,
  keptSecrets,
  maskFields,
  SECRET_NOT_FORWARDED,
  splitFields,
} from '../../../platform/http/secret-fields.js';
import type { MonitorSecrets } from './monitor-settings.js';
import { destinationsOf, goesElsewhere, type SendingSettings } from './secret-destinations.js';
import { mapPlaces, placesOf, type SomeSettings } from './secret-places.js';

export function withMaskedSecrets<Settings extends SomeSettings>(settings: Settings): Settings {
  return mapPlaces(settings, (fields, { isSecret }) => maskFields(fields, isSecret));
}

export function withSecrets<Settings extends SomeSettings>(settings: Settings, secrets: MonitorSecrets): Settings {
  return mapPlaces(settings, (fields, { key }) => joinFields(fields, secrets[key] ?? {}));
}

/**
 * Separates the secrets from the settings after a change; `***` keeps the stored secret of that name, unless it would be sent to
 * where it was not sent before.
 * @param given the settings after the change, with the secrets that the caller names
 * @returns `whole`: the settings with all secrets
 */
export function decideSecrets<Settings extends SomeSettings & SendingSettings>(
  given: Settings,
  current: SomeSettings & SendingSettings,
  stored: MonitorSecrets,
): { settings: Settings; whole: Settings; secrets: MonitorSecrets; faults: FaultDetail[] } {
  const secrets: Record<string, Readonly<Record<string, string>>> = {};
  const faults: FaultDetail[] = [];
  const settings = mapPlaces(given, (fields, { key, path, isSecret }) => {
    const parts = splitFields(fields, stored[key] ?? {}, isSecret);
    const inStep = path[1] === 'steps' ? ' for a step of this name' : '';
    const message = `refers to a stored value, but none is stored${inStep}: send the value itself`;
    for (const name of parts.unknown) faults.push({ path: [...path, name].join('.'), message });
    if (Object.keys(parts.secrets).length > 0) secrets[key] = parts.secrets;
    return parts.fields;
  });
  const [before, whole] = [withSecrets(current, stored), withSecrets(settings, secrets)];
  const former = new Map(placesOf(before).map((place) => [place.key, place]));
  const [wentTo, goTo] = [destinationsOf(before), destinationsOf(whole)];
  const kept = new Map(placesOf(given).map(({ key, fields }) => [key, keptSecrets(fields, stored[key] ?? {})]));
  for (const place of placesOf(whole)) {
    const { key, path, fields } = place;
    const names = kept.get(key) ?? [];
    const was = former.get(key);
    if (names.length === 0) continue;
    const fault = (name: string, message: string) => faults.push({ path: [...path, name].join('.'), message });
    if (goesElsewhere(was ? wentTo(was, was.fields) : [], goTo(place, fields)))
      for (const name of names) fault(name, SECRET_NOT_FORWARDED);
    if (!isDeepStrictEqual(fields, was?.fields))
      for (const { name, message } of place.keptFaults?.(fields) ?? []) fault(name, message);
  }
  return { settings, whole, secrets, faults };
}
