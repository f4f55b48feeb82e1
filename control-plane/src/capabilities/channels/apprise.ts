import type { AlertMessage } from './messages/alert-message.js';
import { defineService } from './define-service.js';
import { shorten } from './messages/chat-text.js';
import { plainText } from './messages/plain-text.js';
import { joinUrl } from './sending/join-url.js';
import { judgeStatus, type PostAnswer } from './sending/post-body.js';
import type { SendOutcome } from '../../platform/mail/send-outcome.js';

const TYPES: Readonly<Record<AlertMessage['tone'], string>> = {
  bad: 'failure',
  warning: 'warning',
  good: 'success',
  info: 'info',
};
const MAX = { title: 200, body: 5_000 };

export const apprise = defineService({
  type: 'apprise',
  id: 'Apprise',
  title: 'Apprise',
  category: 'other',
  article: 'an',
  fields: [
    {
      name: 'apiUrl',
      title: 'Apprise API',
      kind: 'url',
      example: 'https://apprise.example.com',
      help: 'The address of an Apprise API server (caronc/apprise-api).',
    },
    {
      name: 'urls',
      title: 'Apprise URLs',
      kind: 'secret',
      isRequired: false,
      example: 'signal://user:password@signal.example.com/+15005550006',
      help: 'One URL of the Apprise wiki, or several separated by commas; or else give a key.',
    },
    {
      name: 'key',
      title: 'Key',
      kind: 'secret',
      isRequired: false,
      pattern: { is: /^[A-Za-z0-9_-]{1,128}$/, fault: 'must be letters, digits, - and _, at most 128' },
      example: 'watchpost',
      help: 'The key under which the server keeps a configuration, in place of URLs.',
    },
  ],
  alternatives: [['urls'], ['key']],
  destination: 'apiUrl',
  message: ({ tone, title, sentences, facts, links }) => ({
    title: shorten(title, MAX.title),
    body: plainText({ title, sentences, facts, links }, MAX.body),
    type: TYPES[tone],
    format: 'text',
  }),
  requests: (body, { apiUrl, urls, key }) => [
    {
      url: joinUrl(apiUrl!, key ? `/notify/${key}` : '/notify'),
      body: key ? body : { urls, ...body },
      judge,
    },
  ],
});

function judge(answer: PostAnswer): SendOutcome {
  const { statusCode } = answer;
  if (statusCode === 204)
    return { kind: 'failed', statusCode, answer: 'Apprise has nothing to notify: no configuration, or no URL (204).' };
  if (statusCode === 400)
    return { kind: 'rejected', statusCode, answer: 'Apprise refused the message, or an Apprise URL (400).' };
  if (statusCode === 424)
    return { kind: 'failed', statusCode, answer: 'Apprise could not notify every one of its services (424).' };
  return judgeStatus(answer);
}
