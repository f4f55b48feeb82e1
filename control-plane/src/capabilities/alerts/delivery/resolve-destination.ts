import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { ActionGroupType, GroupSettings } from '../action-group.js';
import type { Destination } from '../channels/channels.js';
import { openFormerSecret, openGroupSecrets } from '../group-secrets.js';

/** A group with its sealed secrets, as stored. */
export interface SealedGroup {
  id: string;
  isEnabled: boolean;
  settings: GroupSettings;
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
  if (group && !group.isEnabled) return 'The action group is disabled.';
  if (channel === 'email' || channel === 'sms') {
    const known = channel === 'email' ? group?.settings.recipients : group?.settings.phoneNumbers;
    if (group && !known?.some((one) => one.toLowerCase() === address.toLowerCase()))
      return 'The action group no longer has this recipient.';
    return { channel, address };
  }
  if (!group) return 'The action group was deleted.';
  const secrets = openGroupSecrets(box, group.id, group.secrets);
  if (channel !== 'webhook')
    return secrets.webhookUrl === undefined ? 'The action group has no URL.' : { channel, url: secrets.webhookUrl };
  const { headers = {} } = group.settings;
  const url = secrets.url ?? group.settings.url;
  if (url === undefined) return 'The action group has no URL.';
  const signing = secrets.secret === undefined ? [] : [secrets.secret];
  if (group.formerSecret && group.formerSecretUntil && group.formerSecretUntil.getTime() > nowMs)
    signing.push(openFormerSecret(box, group.id, group.formerSecret));
  return {
    channel,
    url,
    secrets: signing,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, secrets.headers?.[name.toLowerCase()] ?? value]),
    ),
  };
}
