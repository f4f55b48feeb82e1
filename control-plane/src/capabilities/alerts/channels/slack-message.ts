import { cleanLine } from '@watchpost/shared/clean-line';
import type { AlertMessage } from './alert-message.js';

const ICONS: Readonly<Record<AlertMessage['tone'], string>> = { bad: '🔴', warning: '🟠', good: '🟢', info: '🔵' };
/** Of Block Kit: a header, a text, a field. */
const MOST = { header: 150, text: 3_000, field: 2_000, fields: 10 };

/** Slack's three characters. Without `<`, nothing is a link, a mention or a channel. */
export function escapeSlack(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/**
 * A Block Kit message. What people wrote stands in `plain_text`, where no markup means anything; the one text that
 * Slack reads as markup, the notification's, is escaped.
 */
export function slackMessage(message: AlertMessage): Record<string, unknown> {
  const plain = (text: string, most: number) => ({ type: 'plain_text', text: cutTo(text, most), emoji: false });
  const title = `${ICONS[message.tone]} ${message.title}`;
  return {
    text: escapeSlack(cleanLine(`${title}. ${message.sentences.join(' ')}`, 500)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title, MOST.header) },
      ...(message.sentences.length === 0
        ? []
        : [{ type: 'section', text: plain(message.sentences.join('\n'), MOST.text) }]),
      ...(message.facts.length === 0
        ? []
        : [
            {
              type: 'section',
              fields: message.facts
                .slice(0, MOST.fields)
                .map(({ name, value }) => plain(`${name}\n${value}`, MOST.field)),
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

function cutTo(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
