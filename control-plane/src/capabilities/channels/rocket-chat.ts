import type { AlertMessage } from './messages/alert-message.js';
import { defineChat } from './define-chat.js';
import { inert, shorten, TONE_COLOURS, TONE_ICONS } from './messages/chat-text.js';

const MAX = { title: 250, text: 4_000 };

export const rocketChat = defineChat({
  type: 'rocketChat',
  id: 'RocketChat',
  title: 'Rocket.Chat',
  example: 'https://rocket.example.com/hooks/0000000000000000000000aa/XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
  help: 'In Rocket.Chat: Workspace, Integrations, New, Incoming; enable it, choose the channel, and save.',
  message: rocketChatMessage,
});

/** Renders a message as an attachment. Its text has no Markdown (`mrkdwn_in`): the links are in a field, which has. */
function rocketChatMessage({ tone, title, sentences, facts, links }: AlertMessage): Record<string, unknown> {
  const lines = [...sentences, ...facts.map(({ name, value }) => `${name}: ${value}`)];
  return {
    parseUrls: false,
    attachments: [
      {
        color: TONE_COLOURS[tone],
        title: shorten(inert(`${TONE_ICONS[tone]} ${title}`), MAX.title),
        text: shorten(inert(lines.join('\n') || title), MAX.text),
        mrkdwn_in: [],
        ...(links.length > 0 && {
          fields: [
            { title: 'Links', value: links.map(({ label, url }) => `[${label}](${url})`).join(' · '), short: false },
          ],
        }),
      },
    ],
  };
}
