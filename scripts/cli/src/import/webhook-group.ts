import { parseUrl } from '@watchpost/shared/parse-url';
import { documentHeaders } from './http-headers.js';
import { quoted } from './import-report.js';
import type { Secrets } from './names.js';
import type { Fields, Row } from './rows.js';

const MOST_ADDRESS = 254;
const MOST_LOCAL_PART = 64;
const ADDRESS = /^[A-Za-z0-9_'+.-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;
/** Headers that Watchpost sets itself in webhooks. */
const OWN_HEADER = /^(?:content-|webhook-)/i;

/** The channels of chats by the addresses at which they take messages. */
const CHATS: Readonly<Record<string, RegExp>> = {
  slack: /^https:\/\/hooks\.slack\.com\/services\//,
  discord: /^https:\/\/(?:[a-z]+\.)?discord(?:app)?\.com\/api\/webhooks\//,
  googleChat: /^https:\/\/chat\.googleapis\.com\//,
  teams: /^https:\/\/[a-z0-9.-]+\.(?:webhook\.office|logic\.azure|api\.powerplatform)\.com(?::443)?\//,
};

/** The type of the chat that takes messages at an address; undefined for any other. */
export function chatOf(url: string | null): string | undefined {
  return Object.keys(CHATS).find((type) => CHATS[type]!.test(url ?? ''));
}

/** An action group of the document, or why there is none. */
export type Group = { fields: Fields; differences: string[] } | { untaken: string };

/** A webhook, or the chat that its address is of. @param given headers by name */
export function webhookGroup(url: string | null, given: Row, key: string, secrets: Secrets): Group {
  if (!isWebUrl(url)) return { untaken: 'it has no http:// or https:// URL' };
  const chat = chatOf(url);
  // A chat takes its own body only.
  if (chat !== undefined)
    return {
      fields: { type: chat, webhookUrl: secrets.keep(`${key} url`, url) },
      differences: ['has the text of Watchpost'],
    };
  const differences = ['gets a POST with the body of Watchpost, which its receiver has to read'];
  const headers = new Map(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  for (const name of [...headers.keys()])
    if (OWN_HEADER.test(name)) {
      headers.delete(name);
      differences.push(`its header ${quoted(name)} is not sent: it is set by Watchpost`);
    }
  const { fields, differences: unsent } = documentHeaders(headers, secrets, key);
  const target = new URL(url);
  if (target.username !== '' || target.password !== '')
    return { untaken: 'its URL has credentials: put them into a header' };
  const sent = Object.keys(fields).length > 0 ? { headers: fields } : {};
  return {
    fields: { type: 'webhook', url: secrets.keep(`${key} url`, url), ...sent },
    differences: [...differences, ...unsent],
  };
}

export function isMailAddress(text: string): boolean {
  const local = text.slice(0, text.indexOf('@'));
  const isDotted = !local.startsWith('.') && !local.endsWith('.') && !local.includes('..');
  return ADDRESS.test(text) && isDotted && local.length <= MOST_LOCAL_PART && text.length <= MOST_ADDRESS;
}

export function isWebUrl(text: string | null): text is string {
  const url = parseUrl(text ?? '');
  return url !== undefined && /^https?:$/.test(url.protocol) && url.href.length <= 2_048;
}
