import type { AlertMessage } from './messages/alert-message.js';
import { defineChannel } from './channel.js';
import { escapeTags, inert, shorten, TONE_ICONS } from './messages/chat-text.js';
import { judgeReason } from './sending/judge-reason.js';
import { jsonOf, postJson } from './sending/post-json.js';

/** A message has at most 32,000 bytes, of which a character may take four. */
const MAX = { title: 200, text: 3_000, facts: 10, name: 60, value: 200, label: 60 };

export const googleChat = defineChannel({
  type: 'googleChat',
  id: 'GoogleChat',
  title: 'Google Chat',
  category: 'chat',
  article: 'a',
  fields: [
    {
      name: 'webhookUrl',
      title: 'Webhook URL',
      kind: 'secretUrl',
      example: 'https://chat.googleapis.com/v1/spaces/AAAAexample/messages?key=example&token=example',
      help: 'In Google Chat: the menu of the space, Apps & integrations, Webhooks, Add webhook.',
    },
  ],
  destination: 'webhookUrl',
  isPersonal: false,
  outlet: 'webhook',
  // The stored address is masked already.
  mask: (address) => address,
  render: (message) => ({ text: null, body: googleChatBody(message) }),
  send({ channels, destination: { fields = {} }, id, message, nowMs }) {
    const url = new URL(String(fields['webhookUrl']));
    url.searchParams.set('requestId', id);
    url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    const judge: Parameters<typeof postJson>[1]['judge'] = (answer) => {
      const { error } = jsonOf(answer.body);
      return judgeReason(answer, { code: (error as { status?: unknown } | undefined)?.status });
    };
    return postJson(channels, { url: url.href, body: googleChatBody(message), judge }, nowMs);
  },
});

/** Renders a message as a card, in the thread of its incident. Titles and labels have no markup; texts have tags. */
export function googleChatBody({
  tone,
  title,
  sentences,
  facts,
  links,
  thread,
}: AlertMessage): Record<string, unknown> {
  const heading = shorten(inert(`${TONE_ICONS[tone]} ${title}`), MAX.title);
  const rich = (text: string, most: number) => escapeTags(shorten(inert(text), most));
  return {
    fallbackText: heading,
    cardsV2: [
      {
        cardId: 'alert',
        card: {
          header: { title: heading },
          sections: [
            {
              widgets: [
                ...(sentences.length === 0
                  ? []
                  : [{ textParagraph: { text: rich(sentences.join('\n'), MAX.text).replaceAll('\n', '<br>') } }]),
                ...facts.slice(0, MAX.facts).map(({ name, value }) => ({
                  decoratedText: {
                    topLabel: shorten(inert(name), MAX.name),
                    text: rich(value, MAX.value),
                    wrapText: true,
                  },
                })),
                ...(links.length === 0
                  ? []
                  : [
                      {
                        buttonList: {
                          buttons: links.map(({ label, url }) => ({
                            text: shorten(label, MAX.label),
                            onClick: { openLink: { url } },
                          })),
                        },
                      },
                    ]),
              ],
            },
          ],
        },
      },
    ],
    ...(thread === null ? {} : { thread: { threadKey: thread } }),
  };
}
