import type { FaultDetail } from '@watchpost/shared/fault';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { keptSecrets, changesDestination, SECRET_NOT_FORWARDED, splitHeaders } from '../monitors/index.js';
import type { GroupContent, GroupInput } from './action-group.js';
import { hasMaskedQuery, isMaskedUrl, maskQuery, maskUrl } from './webhook-url.js';

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
  // A client may send back what it read: the shown URL keeps the stored query.
  if (input.url !== undefined && input.url !== before.settings.url) {
    if (hasMaskedQuery(input.url))
      faults.push({ path: 'url', message: 'has the mask of another query than the stored one: enter the full URL' });
    if (before.settings.url !== undefined && changesDestination(before.settings.url, input.url)) {
      for (const name of keptSecrets(input.headers, before.secrets.headers ?? {}))
        faults.push({ path: `headers.${name}`, message: SECRET_NOT_FORWARDED });
    }
    settings.url = maskQuery(input.url);
    delete secrets.url;
    if (settings.url !== input.url) secrets.url = input.url;
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
