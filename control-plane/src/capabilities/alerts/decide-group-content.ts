import type { FaultDetail } from '@watchpost/shared/fault';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { keptSecrets, changesDestination, SECRET_NOT_FORWARDED, splitHeaders } from '../monitors/index.js';
import type { GroupContent, GroupInput } from './action-group.js';
import { isMaskedUrl, maskUrl } from './webhook-url.js';

export interface DecidedContent extends GroupContent {
  faults: FaultDetail[];
}

/** Decides the content of a group after an input; omitted fields keep their values. */
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
      faults.push({ path: `headers.${name}`, message: `is given as ${MASK}, but no value is stored` });
    }
  }
  const { webhookUrl } = input;
  // A client may send back what it read: the mask of the stored URL keeps it.
  if (webhookUrl !== undefined && webhookUrl !== before.settings.webhookUrl) {
    if (isMaskedUrl(webhookUrl)) {
      faults.push({ path: 'webhookUrl', message: 'is a mask of another URL than the stored one: enter the full URL' });
    } else {
      settings.webhookUrl = maskUrl(webhookUrl);
      secrets.webhookUrl = webhookUrl;
    }
  }
  return { settings, secrets, faults };
}
