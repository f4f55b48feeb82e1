import type { FaultDetail } from '@watchpost/shared/fault';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import {
  changesDestination,
  keptSecrets,
  SECRET_NOT_FORWARDED,
  splitFields,
} from '../../../platform/http/secret-fields.js';
import type { GroupContent, GroupInput } from './group-content.js';
import type { ChannelField } from './field-kinds.js';
import { hasMaskedQuery, isMaskedUrl, maskQuery, maskUrl } from './webhook-url.js';

export interface DecidedContent extends GroupContent {
  faults: FaultDetail[];
}

/** The content of a group before anything is given. */
function emptyContent(fields: readonly ChannelField[]): GroupContent {
  return {
    settings: Object.fromEntries(fields.filter(({ kind }) => kind === 'headers').map(({ name }) => [name, {}])),
    secrets: {},
  };
}

/**
 * Decides the content of a group after an input; omitted fields keep their values. A client may send back what it read:
 * the mask of a stored value keeps it.
 * @param before null: of a new group
 */
export function decideGroupContent(
  fields: readonly ChannelField[],
  stored: GroupContent | null,
  input: GroupInput,
): DecidedContent {
  const before = stored ?? emptyContent(fields);
  const after: DecidedContent = { settings: { ...before.settings }, secrets: { ...before.secrets }, faults: [] };
  for (const field of fields) {
    const value = input[field.name];
    if (value !== undefined) applyField(fields, field, value, before, input, after);
  }
  return after;
}

function applyField(
  fields: readonly ChannelField[],
  { name, kind }: ChannelField,
  value: unknown,
  before: GroupContent,
  input: GroupInput,
  { settings, secrets, faults }: DecidedContent,
): void {
  const fault = (message: string, path = name) => faults.push({ path, message });
  const stored = before.settings[name];
  switch (kind) {
    case 'emails':
    case 'phones':
    case 'text':
      settings[name] = value;
      return;
    case 'url': {
      const url = value as string;
      if (url === stored) return;
      if (hasMaskedQuery(url)) fault('has the mask of another query than the stored one: enter the full URL');
      if (typeof stored === 'string' && changesDestination(stored, url))
        for (const path of secretsKept(fields, before, input)) fault(SECRET_NOT_FORWARDED, path);
      settings[name] = maskQuery(url);
      delete secrets[name];
      if (settings[name] !== url) secrets[name] = url;
      return;
    }
    case 'secretUrl': {
      const url = value as string;
      if (url === stored) return;
      if (isMaskedUrl(url)) return void fault('is a mask of another URL than the stored one: enter the full URL');
      settings[name] = maskUrl(url);
      secrets[name] = url;
      return;
    }
    case 'secret':
      if (value === stored) return;
      if (value === MASK) return void fault(`is given as ${MASK}, but no value is stored`);
      settings[name] = MASK;
      secrets[name] = value as string;
      return;
    case 'headers': {
      const split = splitFields(value as Record<string, string>, before.secrets.headers ?? {});
      settings.headers = split.fields;
      secrets.headers = split.secrets;
      for (const header of split.unknown) fault(`is given as ${MASK}, but no value is stored`, `${name}.${header}`);
      return;
    }
  }
}

/** The paths of stored secrets that would be sent to the new destination although nobody entered them for it. */
function secretsKept(
  fields: readonly ChannelField[],
  { settings, secrets }: GroupContent,
  input: GroupInput,
): string[] {
  return fields.flatMap(({ name, kind }) => {
    if (kind === 'headers')
      return keptSecrets(input[name] as Record<string, string> | undefined, secrets.headers ?? {}).map(
        (header) => `${name}.${header}`,
      );
    const isKept =
      kind === 'secret' && settings[name] !== undefined && [undefined, MASK].includes(input[name] as string);
    return isKept ? [name] : [];
  });
}
