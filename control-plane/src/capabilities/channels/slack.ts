import { cleanLine } from '@watchpost/shared/clean-line';
import type { AlertMessage } from './messages/alert-message.js';
import { defineChat } from './define-chat.js';
import { shorten } from './messages/chat-text.js';

const ICONS: Readonly<Record<AlertMessage['tone'], string>> = { bad: '🔴', warning: '🟠', good: '🟢', info: '🔵' };
/** The limits of Block Kit. */
const MAX = { header: 150, text: 3_000, field: 2_000, fields: 10 };

export const slack = defineChat({
  type: 'slack',
  id: 'Slack',
  title: 'Slack',
  example: 'https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX',
  help: 'In Slack: Apps, Incoming Webhooks, Add to Slack.',
  message: slackMessage,
});

/** Escapes the three special characters of Slack. Without `<` there is no link, mention or channel. */
export function escapeSlack(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/**
 * Renders a message in Block Kit. Text of users is in `plain_text`, which has no markup; the notification text, which
 * Slack reads as markup, is escaped.
 */
function slackMessage(message: AlertMessage): Record<string, unknown> {
  const plain = (text: string, most: number) => ({ type: 'plain_text', text: shorten(text, most), emoji: false });
  const title = `${ICONS[message.tone]} ${message.title}`;
  return {
    text: escapeSlack(cleanLine(`${title}. ${message.sentences.join(' ')}`, 500)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title, MAX.header) },
      ...(message.sentences.length === 0
        ? []
        : [{ type: 'section', text: plain(message.sentences.join('\n'), MAX.text) }]),
      ...(message.facts.length === 0
        ? []
        : [
            {
              type: 'section',
              fields: message.facts
                .slice(0, MAX.fields)
                .map(({ name, value }) => plain(`${name}\n${value}`, MAX.field)),
            },
          ]),
      ...(message.links.length === 0
        ? []
        : [
            {
              type: 'actions',
              elements: message.links.map(({ label, url }) => ({ type: 'button', text: plain(label, 75), url })),
            },
          ]),
    ],
  };
}
