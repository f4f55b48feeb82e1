import type { AlertMessage } from './messages/alert-message.js';
import { defineService } from './define-service.js';
import { shorten } from './messages/chat-text.js';
import { plainText } from './messages/plain-text.js';
import { judgeRefusal } from './sending/judge-refusal.js';

/** Emoji before the title. */
const TAGS: Readonly<Record<AlertMessage['tone'], string>> = {
  bad: 'rotating_light',
  warning: 'warning',
  good: 'white_check_mark',
  info: 'information_source',
};
const PRIORITIES: Readonly<Record<AlertMessage['tone'], number>> = { bad: 4, warning: 3, good: 3, info: 2 };
/** A longer message than 4,096 bytes would become an attachment. */
const MAX = { title: 200, message: 1_000, actions: 3 };
const TOPIC = /^(https?:\/\/[^/?#]+\/(?:[^?#]+\/)?)([-_A-Za-z0-9]{1,64})$/;

export const ntfy = defineService({
  type: 'ntfy',
  id: 'Ntfy',
  title: 'ntfy',
  category: 'push',
  article: 'an',
  fields: [
    {
      name: 'topicUrl',
      title: 'Topic URL',
      kind: 'secretUrl',
      pattern: { is: TOPIC, fault: 'must end with a topic: letters, digits, - and _, at most 64' },
      example: 'https://ntfy.sh/watchpost-a1B2c3D4e5F6',
      help: 'The server and the topic, as in the browser. Everybody who knows the topic of a public server can read it.',
    },
    {
      name: 'token',
      title: 'Access token',
      kind: 'secret',
      isRequired: false,
      example: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2',
      help: 'For topics with access control. In ntfy: Account, Access tokens.',
    },
    {
      name: 'priority',
      title: 'Priority of failures',
      kind: 'text',
      isRequired: false,
      pattern: { is: /^[1-5]$/, fault: 'must be a digit from 1 to 5' },
      example: '5',
      help: 'From 1, silent, to 5, which rings loudest; by default 4 where a monitor is down, and 3 where it is impaired.',
    },
  ],
  destination: 'topicUrl',
  message({ tone, title, sentences, facts, links }, _event, { priority }) {
    const [first] = links;
    const isFailure = tone === 'bad' || tone === 'warning';
    return {
      title: shorten(title, MAX.title),
      message: plainText({ title, sentences, facts, links: [] }, MAX.message),
      priority: isFailure && priority ? Number(priority) : PRIORITIES[tone],
      tags: [TAGS[tone]],
      ...(first && { click: first.url }),
      actions: links.slice(0, MAX.actions).map(({ label, url }) => ({ action: 'view', label, url })),
    };
  },
  requests(body, { topicUrl, token }, _event, id) {
    const [, url, topic] = TOPIC.exec(topicUrl!)!;
    return [
      {
        url: url!,
        ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
        // A message with the same one replaces the former: https://docs.ntfy.sh/publish/#updating-deleting-notifications.
        body: { topic, sequence_id: id, ...body },
        judge: judgeRefusal('ntfy', 'the access token, or the topic needs one'),
      },
    ];
  },
});
