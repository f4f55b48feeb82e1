import { cleanLine } from '@watchpost/shared/clean-line';
import type { AlertMessage } from './messages/alert-message.js';
import { defineChannel } from './channel.js';
import { webhookUrlField } from './content/field-kinds.js';
import { TONE_COLOURS } from './messages/chat-text.js';
import { discordPresses } from './presses/discord-presses.js';
import { ACKNOWLEDGE_ACTION } from './presses/service-call.js';
import { editInDiscord, postToDiscord } from './sending/call-discord.js';

/** Below the limits of an embed: all its texts together have at most 6,000 characters. */
const MAX = { title: 256, sentence: 1_000, text: 2_000, label: 75, fields: 10, name: 80, value: 200 };
/** In place of an empty text, which is refused. */
const NOTHING = '-';
/** What a cut leaves of an escaped character, or of one beyond the basic plane. */
const HALF_ESCAPE = /(?<!\\)(?:\\\\)*\\$|[\ud800-\udbff]$/;

export const discord = defineChannel({
  type: 'discord',
  id: 'Discord',
  title: 'Discord',
  category: 'chat',
  article: 'a',
  fields: [
    webhookUrlField({
      example: 'https://discord.com/api/webhooks/000000000000000000/XXXXXXXXXXXXXXXXXXXX',
      help: 'In Discord: the settings of the channel, Integrations, Webhooks, Copy Webhook URL.',
    }),
    {
      name: 'publicKey',
      title: 'Public key',
      kind: 'text',
      isRequired: false,
      example: '0000000000000000000000000000000000000000000000000000000000000000',
      help: 'For the button: General Information of the application, whose Interactions Endpoint URL is `/api/v1/channels/discord/press/` and the id of this group.',
    },
    {
      name: 'botToken',
      title: 'Bot token',
      kind: 'secret',
      isRequired: false,
      example: 'XXXXXXXXXXXXXXXXXXXXXXXX.XXXXXX.XXXXXXXXXXXXXXXXXXXXXXXXXXX',
      help: 'The page Bot of the application, Reset Token. The bot posts in place of the webhook, with a button, and sends the codes that link chat accounts. It must be allowed to write in the channel.',
    },
  ],
  presses: discordPresses,
  destination: 'webhookUrl',
  isPersonal: false,
  outlet: 'webhook',
  // The stored address is masked already.
  mask: (address) => address,
  render: (message) => ({ text: null, body: discordBody(message) }),
  send: ({ channels, destination: { fields = {} }, id, message, replyTo, nowMs }) =>
    postToDiscord(channels, fields, { id, body: discordBody(message), ...(replyTo && { replyTo }) }, nowMs),
  edit: ({ channels, destination: { fields = {} }, message, nowMs }, handle) =>
    editInDiscord(channels, fields, discordBody(message), handle, nowMs),
});

/**
 * A message as an embed. Text of users is escaped, so that it becomes no link, heading or formatting, and nobody is
 * mentioned whatever it contains (`allowed_mentions`).
 */
export function discordBody({ tone, title, sentences, facts, links, button }: AlertMessage): Record<string, unknown> {
  const text = sentences.map((sentence) => escaped(sentence, MAX.sentence)).join('\n');
  const linkLine = links.map(({ label, url }) => `[${escaped(label, MAX.label)}](${url})`).join(' · ');
  return {
    allowed_mentions: { parse: [] },
    components: button === undefined ? [] : [buttonRow(button)],
    embeds: [
      {
        title: escaped(title, MAX.title) || NOTHING,
        description: [text.length > MAX.text ? `${cutAt(text, MAX.text)}…` : text, linkLine]
          .filter((part) => part !== '')
          .join('\n'),
        color: Number.parseInt(TONE_COLOURS[tone].slice(1), 16),
        fields: facts.slice(0, MAX.fields).map(({ name, value }) => ({
          name: escaped(name, MAX.name) || NOTHING,
          value: escaped(value, MAX.value) || NOTHING,
          inline: true,
        })),
      },
    ],
  };
}

/** A row (type 1) with a green button (type 2, style 3). */
function buttonRow(incidentId: string): Record<string, unknown> {
  const customId = `${ACKNOWLEDGE_ACTION}:${incidentId}`;
  return { type: 1, components: [{ type: 2, style: 3, label: 'Acknowledge', custom_id: customId }] };
}

/** Escapes the Markdown of Discord, within the length after escaping. */
function escaped(text: string, most: number): string {
  const clean = text
    .split('\n')
    .map((line) => cleanLine(line, most))
    .join('\n');
  let [out, length] = ['', 0];
  for (const character of clean) {
    const next = /[\\`*_{}[\]()#+\-.!<>|~@:]/.test(character) ? `\\${character}` : character;
    if (length + next.length > most) return `${cutAt(out, most - 1)}…`;
    out += next;
    length += next.length;
  }
  return out;
}

function cutAt(text: string, most: number): string {
  return text.slice(0, most).replace(HALF_ESCAPE, '');
}
