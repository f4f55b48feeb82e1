import type { FaultDetail } from '@watchpost/shared/fault';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { keptSecrets, changesDestination, SECRET_NOT_FORWARDED, splitHeaders } from '../monitors/index.js';
import type { GroupContent, GroupInput } from './action-group.js';
import { isMaskedUrl, maskUrl } from './webhook-url.js';

export interface DecidedContent extends GroupContent {
  faults: FaultDetail[];
}

/** What a group holds once the fields that a caller gave are taken over; the others keep their values. */
export function decideGroupContent(before: GroupContent, input: GroupInput): DecidedContent {
  const settings = { ...before.settings };
  const secrets = { ...before.secrets };
  const faults: FaultDetail[] = [];
  if (input.recipients) settings.recipients = input.recipients;
  if (input.phoneNumbers) settings.phoneNumbers = input.phoneNumbers;
  if (input.url !== undefined) {
    if (before.settings.url !== undefined && changesDestination(before.settings.url, input.url)) {
      for (const name of keptSecrets(input.headers, before.secrets.headers ?? {}))
        faults.push({ path: `headers.${name}`, message: SECRET_NOT_FORWARDED });
    }
    settings.url = input.url;
  }
  if (input.headers) {
    const split = splitHeaders(input.headers, before.secrets.headers ?? {});
    settings.headers = split.headers;
    secrets.headers = split.secrets;
    for (const name of split.unknown) {
      faults.push({ path: `headers.${name}`, message: `is given as ${MASK}, and there is no stored value to keep` });
    }
  }
  const { webhookUrl } = input;
  // What was read may be sent back: the mask of what is stored stands for it.
  if (webhookUrl !== undefined && webhookUrl !== before.settings.webhookUrl) {
    if (isMaskedUrl(webhookUrl)) {
      faults.push({ path: 'webhookUrl', message: 'is masked, and not the URL that is stored: give it in full' });
    } else {
      settings.webhookUrl = maskUrl(webhookUrl);
      secrets.webhookUrl = webhookUrl;
    }
  }
  return { settings, secrets, faults };
}
