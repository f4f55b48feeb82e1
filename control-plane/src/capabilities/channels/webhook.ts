import { parseUrl } from '@watchpost/shared/parse-url';
import { maskUrl } from './content/webhook-url.js';
import { defineChannel } from './channel.js';
import { postJson } from './sending/post-json.js';
import { digestBody, signatureHeaders, webhookBody } from './webhook-body.js';

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
  render: (event, links) => ({ text: null, body: JSON.parse(webhookBody(event, links)) as Record<string, unknown> }),
  send({ channels, destination: { fields = {}, secrets = [] }, id, notifications, links, nowMs }) {
    const [{ event }, ...others] = notifications;
    const body = others.length === 0 ? webhookBody(event, links) : digestBody(notifications, links);
    const headers = fields['headers'] as Record<string, string>;
    const signed = signatureHeaders(others.length === 0 ? event.id : id, nowMs, body, secrets);
    return postJson(channels, { url: String(fields['url']), headers: { ...headers, ...signed }, body }, nowMs);
  },
});
