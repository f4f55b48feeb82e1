import { parseUrl } from '@watchpost/shared/parse-url';
import { maskUrl } from '../../platform/http/masked-url.js';
import { defineChannel } from './channel.js';
import { postJson } from './sending/post-json.js';
import { bodyOf, signatureHeaders } from './webhook-body.js';

export const webhook = defineChannel({
  type: 'webhook',
  id: 'Webhook',
  title: 'webhook',
  category: 'other',
  article: 'a',
  fields: [
    {
      name: 'url',
      title: 'URL',
      kind: 'url',
      example: 'https://hooks.example.com/watchpost',
      help: 'It gets JSON by POST.',
    },
    {
      name: 'headers',
      title: 'Headers',
      kind: 'headers',
      isRequired: false,
      example: 'Authorization: Bearer …',
      help: 'One per line, as Name: value. Secret values are shown as *** and stay as they are.',
    },
  ],
  destination: 'url',
  isPersonal: false,
  outlet: 'webhook',
  // A digest contains each event.
  described: (notifications) => notifications,
  takesMinorEvents: true,
  isSigned: true,
  mask: (address) => (parseUrl(address) ? maskUrl(address) : '***'),
  render: (message, notifications, links) => ({ text: null, body: bodyOf(notifications, links, message) }),
  send(sending) {
    const { channels, destination, id, notifications, links, nowMs } = sending;
    const { fields = {}, secrets = [], template } = destination;
    const [{ event }, ...others] = notifications;
    // Without a template people read nothing of it, and no message is composed.
    const message = template === undefined ? undefined : sending.message;
    const body = JSON.stringify(bodyOf(notifications, links, message));
    const headers = fields['headers'] as Record<string, string>;
    const signed = signatureHeaders(others.length === 0 ? event.id : id, nowMs, body, secrets);
    return postJson(channels, { url: String(fields['url']), headers: { ...headers, ...signed }, body }, nowMs);
  },
});
