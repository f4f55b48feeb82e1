import type { AlertMessage } from './messages/alert-message.js';
import { defineService } from './define-service.js';
import { shorten } from './messages/chat-text.js';
import { plainText } from './messages/plain-text.js';
import { joinUrl } from './sending/join-url.js';
import { judgeRefusal } from './sending/judge-refusal.js';

/** From 8 on the app rings and vibrates; from 4 on it makes a sound. */
const PRIORITIES: Readonly<Record<AlertMessage['tone'], number>> = { bad: 8, warning: 5, good: 4, info: 2 };
const MAX = { title: 200, message: 5_000 };

export const gotify = defineService({
  type: 'gotify',
  id: 'Gotify',
  title: 'Gotify',
  category: 'push',
  fields: [
    {
      name: 'serverUrl',
      title: 'Server URL',
      kind: 'url',
      example: 'https://gotify.example.com',
      help: 'The address of the server, as in the browser.',
    },
    {
      name: 'appToken',
      title: 'Application token',
      kind: 'secret',
      pattern: { is: /^[\x21-\x7e]+$/, fault: 'must be ASCII without spaces' },
      example: 'AWH0wZ5r0Mbac.r',
      help: 'In Gotify: Apps, Create Application, the eye.',
    },
  ],
  destination: 'serverUrl',
  message({ tone, title, sentences, facts, links }) {
    const [first] = links;
    return {
      title: shorten(title, MAX.title),
      message: plainText({ title, sentences, facts, links }, MAX.message),
      priority: PRIORITIES[tone],
      extras: {
        'client::display': { contentType: 'text/plain' },
        ...(first && { 'client::notification': { click: { url: first.url } } }),
      },
    };
  },
  requests: (body, { serverUrl, appToken }) => [
    {
      url: joinUrl(serverUrl!, '/message'),
      headers: { 'x-gotify-key': appToken! },
      body,
      judge: judgeRefusal('Gotify', 'the application token'),
    },
  ],
});
