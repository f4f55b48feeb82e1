import type { AlertMessage } from './messages/alert-message.js';
import { defineService } from './define-service.js';
import { shorten } from './messages/chat-text.js';
import { plainText } from './messages/plain-text.js';
import { judgeRefusal } from './sending/judge-refusal.js';

/** 1 ignores quiet hours. 2 would repeat until somebody confirms it in the app. */
const PRIORITIES: Readonly<Record<AlertMessage['tone'], number>> = { bad: 1, warning: 0, good: 0, info: -1 };
const MAX = { title: 250, message: 1_000, url: 512, urlTitle: 100 };
const KEY = { is: /^[A-Za-z0-9]{30}$/, fault: 'must have 30 letters and digits' };
/** The names of parameters in answers, in words. */
const KEYS: Readonly<Record<string, string>> = { token: 'the API token', user: 'the user key', device: 'the device' };

export const pushover = defineService({
  type: 'pushover',
  id: 'Pushover',
  title: 'Pushover',
  category: 'push',
  fields: [
    {
      name: 'userKey',
      title: 'User key',
      kind: 'secret',
      pattern: KEY,
      example: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
      help: 'On pushover.net, at the top right; or the key of a group.',
    },
    {
      name: 'apiToken',
      title: 'API token',
      kind: 'secret',
      pattern: KEY,
      example: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
      help: 'On pushover.net: Your Applications, Create an Application.',
    },
    {
      name: 'device',
      title: 'Device',
      kind: 'text',
      isRequired: false,
      pattern: {
        is: /^[A-Za-z0-9_-]{1,25}(,[A-Za-z0-9_-]{1,25})*$/,
        fault: 'must be names of devices, separated by commas: letters, digits, - and _, at most 25',
      },
      example: 'phone',
      help: 'The names of devices, separated by commas; by default all of them.',
    },
  ],
  destination: 'userKey',
  message({ tone, title, sentences, facts, links: [first, ...others] }) {
    return {
      title: shorten(title, MAX.title),
      message: plainText({ title, sentences, facts, links: others }, MAX.message),
      priority: PRIORITIES[tone],
      ...(first && first.url.length <= MAX.url && { url: first.url, url_title: shorten(first.label, MAX.urlTitle) }),
    };
  },
  requests(body, { userKey, apiToken, device }, { atMs }) {
    const given = { token: apiToken, user: userKey, ...(device ? { device } : {}) };
    return [
      {
        url: { service: 'PUSHOVER_API_URL', path: '/1/messages.json' },
        body: { ...given, ...body, timestamp: Math.floor(atMs / 1_000) },
        judge: judgeRefusal('Pushover', KEYS['token']!, refusedKey),
      },
    ];
  },
});

function refusedKey(body: string): string | null {
  const [, name] = /"(token|user|device)"\s*:\s*"invalid/.exec(body) ?? [];
  return name === undefined ? null : KEYS[name]!;
}
