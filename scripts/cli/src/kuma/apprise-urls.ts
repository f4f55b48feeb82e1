import { parseUrl } from '@watchpost/shared/parse-url';
import { textOf, type Row } from '../import/rows.js';

/** The URLs of Apprise for notifications by their type in Uptime Kuma, whose services are no channels of Watchpost. */
const APPRISE: Readonly<Record<string, (config: Row) => string | undefined>> = {
  apprise: (config) => textOf(config, 'appriseURL') ?? undefined,
  signal: (config) => {
    const recipients = (textOf(config, 'signalRecipients') ?? '').split(',').map((one) => one.trim());
    return atServer('signal', textOf(config, 'signalURL'), [textOf(config, 'signalNumber'), ...recipients]);
  },
  Bark: (config) => {
    const server = parseUrl(textOf(config, 'barkEndpoint') ?? '');
    return server && atServer('bark', server.origin, server.pathname.split('/').filter(Boolean));
  },
  HomeAssistant: (config) =>
    atServer('hassio', textOf(config, 'homeAssistantUrl'), [textOf(config, 'longLivedAccessToken')]),
  clicksendsms: (config) => {
    const [user, key] = [part(config, 'clicksendsmsLogin'), part(config, 'clicksendsmsPassword')];
    const number = part(config, 'clicksendsmsToNumber');
    return user && key && number ? `clicksend://${user}:${key}@${number}` : undefined;
  },
  line: (config) => ofParts('line', config, ['lineChannelAccessToken', 'lineUserID']),
  pushbullet: (config) => ofParts('pbul', config, ['pushbulletAccessToken']),
  PushDeer: (config) => ofParts('pushdeer', config, ['pushdeerKey']),
  ServerChan: (config) => ofParts('schan', config, ['serverChanSendKey']),
  PushByTechulus: (config) => ofParts('push', config, ['pushAPIKey']),
  WeCom: (config) => ofParts('wecombot', config, ['weComBotKey']),
};

/** @returns undefined for what has none, null for what has not all of its values */
export function appriseUrl(type: string, config: Row): string | null | undefined {
  return Object.hasOwn(APPRISE, type) ? (APPRISE[type]!(config) ?? null) : undefined;
}

function part(config: Row, field: string): string {
  return encoded((textOf(config, field) ?? '').trim());
}

function ofParts(scheme: string, config: Row, fields: readonly string[]): string | undefined {
  const parts = fields.map((field) => part(config, field));
  return parts.includes('') ? undefined : `${scheme}://${parts.join('/')}`;
}

/** The URL of a service with a server of its own: `signal://host:8080/…`, and `signals` where it has TLS. */
function atServer(scheme: string, text: string | null, parts: readonly (string | null)[]): string | undefined {
  const server = parseUrl(text ?? '');
  if (server === undefined || parts.length === 0 || parts.some((one) => one === null || one === '')) return undefined;
  const path = parts.map((one) => encoded(one!)).join('/');
  return `${scheme}${server.protocol === 'https:' ? 's' : ''}://${server.host}/${path}`;
}

/** Bytes of UTF-8 have no half of a character, which `encodeURIComponent` refuses. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
