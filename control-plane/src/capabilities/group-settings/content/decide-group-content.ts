import type { FaultDetail } from '@watchpost/shared/fault';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import {
  changesDestination,
  keptSecrets,
  SECRET_NOT_FORWARDED,
  splitFields,
} from '../../../platform/http/secret-fields.js';
import type { Channel, ChannelField } from '../../channels/index.js';
import type { GroupContent, GroupInput, GroupSettings } from './group-content.js';
import { hasMaskedQuery, isMaskedUrl, maskQuery, maskUrl } from '../../../platform/http/masked-url.js';

export interface DecidedContent extends GroupContent {
  faults: FaultDetail[];
}

export function emptyContent(fields: readonly ChannelField[]): GroupContent {
  const optional = fields.filter(({ isRequired }) => isRequired === false);
  return {
    settings: Object.fromEntries(optional.map(({ name, kind }) => [name, kind === 'headers' ? {} : null])),
    secrets: {},
  };
}

/**
 * Decides the content of a group after an input; omitted fields keep their values. A client may send back what it read:
 * the mask of a stored value keeps it.
 * @param stored null: of a new group
 */
export function decideGroupContent(
  { fields, alternatives = [] }: Pick<Channel, 'fields' | 'alternatives'>,
  stored: GroupContent | null,
  input: GroupInput,
): DecidedContent {
  const before = stored ?? emptyContent(fields);
  const after: DecidedContent = { settings: { ...before.settings }, secrets: { ...before.secrets }, faults: [] };
  for (const field of fields) {
    const value = input[field.name];
    if (value === null) {
      after.settings[field.name] = null;
      delete after.secrets[field.name];
    } else if (value !== undefined) applyField(fields, field, value, before, input, after);
  }
  after.faults.push(...alternativeFaults(alternatives, after.settings));
  return after;
}

/** A fault where none of the alternatives is whole, or fields of another one are given too. */
function alternativeFaults(alternatives: NonNullable<Channel['alternatives']>, settings: GroupSettings): FaultDetail[] {
  const isGiven = (name: string) => settings[name] !== undefined && settings[name] !== null;
  const fits = (one: readonly string[]) => alternatives.flat().every((name) => isGiven(name) === one.includes(name));
  if (alternatives.length === 0 || alternatives.some(fits)) return [];
  const choices = alternatives.map((names) =>
    names
      .map((name) => `\`${name}\``)
      .join(', ')
      .replace(/, ([^,]*)$/, ' and $1'),
  );
  const message = `must be given as one of these, and the other fields be null: ${choices.join('; or ')}`;
  return [{ path: alternatives[0]![0]!, message }];
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
      if (typeof stored === 'string' && changesDestination(stored, url))
        for (const path of secretsKept(fields, before, input)) fault(SECRET_NOT_FORWARDED, path);
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
function secretsKept(fields: readonly ChannelField[], { secrets }: GroupContent, input: GroupInput): string[] {
  return fields.flatMap(({ name, kind }) => {
    if (kind === 'headers')
      return keptSecrets(input[name] as Record<string, string> | undefined, secrets.headers ?? {}).map(
        (header) => `${name}.${header}`,
      );
    const isKept =
      kind === 'secret' && secrets[name] !== undefined && [undefined, MASK].includes(input[name] as string);
    return isKept ? [name] : [];
  });
}
