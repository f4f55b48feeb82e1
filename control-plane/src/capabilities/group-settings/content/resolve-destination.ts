import type { StoredRules } from '../rules/group-rules-schemas.js';
import type { GroupSecrets, GroupSettings } from './group-content.js';
import { openFormerSecret, openGroupSecrets } from './group-secrets.js';
import {
  type ActionGroupType,
  type ChannelField,
  channelOf,
  type Destination,
  destinationsOf,
} from '../../channels/index.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';

export interface SealedGroup {
  id: string;
  isEnabled: boolean;
  settings: GroupSettings;
  rules: StoredRules;
  secrets: Buffer | null;
  formerSecret: Buffer | null;
  formerSecretUntil: Date | null;
}

/**
 * Resolves the destination of a delivery from the current state of its group.
 * @returns a sentence where there is no destination any more
 */
export function resolveDestination(
  box: SecretBox,
  { channel, address }: { channel: ActionGroupType; address: string },
  group: SealedGroup | null,
  nowMs: number,
): Destination | string {
  if (group && !group.isEnabled) return 'The channel is disabled.';
  const template = group?.rules.template;
  const read = typeof template === 'string' ? { template } : {};
  const definition = channelOf(channel);
  const { fields, isPersonal } = definition;
  if (isPersonal) {
    const known = group && destinationsOf(definition, group.settings);
    if (group && !known?.some((one) => one.toLowerCase() === address.toLowerCase()))
      return 'The channel no longer has this recipient.';
    return { channel, address, ...read };
  }
  if (!group) return 'The channel was deleted.';
  if (destinationsOf(definition, group.settings).length === 0) return 'The channel has no destination.';
  const secrets = openGroupSecrets(box, group.id, group.secrets);
  const signing = secrets.secret === undefined ? [] : [secrets.secret];
  if (group.formerSecret && group.formerSecretUntil && group.formerSecretUntil.getTime() > nowMs)
    signing.push(openFormerSecret(box, group.id, group.formerSecret));
  const open = openFields(fields, group.settings, secrets);
  return { channel, groupId: group.id, address, ...read, fields: open, secrets: signing };
}

export function openGroupFields(
  box: SecretBox,
  type: string,
  { id, settings, secrets: sealed }: Pick<SealedGroup, 'id' | 'settings' | 'secrets'>,
): Record<string, unknown> {
  return openFields(channelOf(type).fields, settings, openGroupSecrets(box, id, sealed));
}

function openFields(
  fields: readonly ChannelField[],
  settings: GroupSettings,
  secrets: GroupSecrets,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      if (kind !== 'headers') return [name, secrets[name] ?? settings[name]];
      const open = ([header, value]: [string, string]) => [header, secrets.headers?.[header.toLowerCase()] ?? value];
      return [name, Object.fromEntries(Object.entries(settings.headers ?? {}).map(open))];
    }),
  );
}
